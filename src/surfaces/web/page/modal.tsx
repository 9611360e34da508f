import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { goTo } from "./route.ts";

type Props = { name: string; title: string; children: ComponentChildren; close?: () => void };

/** Over the board, unless `close` says where else; Escape, the cross and the browser's step back lead to it again. */
export function Modal({ name, title, children, close = () => goTo("#/board") }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // What had the focus gets it back.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`modal ${name}`}
      aria-label={title}
      onCancel={(event) => (event.preventDefault(), close())}
      onPointerDown={(event) => event.target === dialog.current && close()}
    >
      {/* Not the cross: Enter would close what it was meant to confirm. */}
      <div class="inside" tabIndex={-1} autofocus>
        <button class="plain close" type="button" aria-label="Close" onClick={close}>
          ×
        </button>
        {children}
      </div>
    </dialog>
  );
}
