import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { endsAll } from "../../../../core/form/walk.ts";
import { answers, type FormState, updateForm } from "../../../../core/form/form.ts";
import { leaveField, pickRow, stepOn } from "../../../../core/form/point.ts";
import { rowOrder } from "../../../../core/form/rows.ts";
import { declineWords, stopWords, takesWords } from "../../../../core/words/outcome/refusal-words.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { ApiError } from "../api.ts";
import type { Forms } from "./forms.ts";
import { isPlainKey, isPressable } from "../keys.ts";
import type { Model, Settlement } from "../model.ts";
import { QuestionFields } from "./question-fields.tsx";
import { type Aside, FormActions, mayGrant } from "./form-actions.tsx";
import { Refuse, refuseWords } from "./refuse.tsx";
import { Cancel } from "./cancel.tsx";
import { Review } from "./review.tsx";
import { Steps } from "./steps.tsx";
import { later } from "../later.tsx";

const GrantPanel = later(async () => (await import("../grants/grant-panel.tsx")).GrantPanel);

type Props = { ask: AskView; form: FormState; model: Model; forms: Forms; settled: () => void; isInTask: boolean };
const Snooze = later(async () => (await import("../inbox/snooze.tsx")).Snooze);
const EditCall = later(async () => (await import("./edit-call.tsx")).EditCall);
/** A click or key that was meant for what stood here before settles nothing. */
const CALM_MS = 300;

export function AskForm({ ask, form, model, forms, settled, isInTask }: Props) {
  const [isReady, setReady] = useState(false);
  const root = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [aside, setAside] = useState<Aside>();
  const { questions, phase, current } = form;
  useLayoutEffect(() => {
    setReady(false);
    const timer = setTimeout(() => setReady(true), CALM_MS);
    return () => clearTimeout(timer);
  }, [phase === "review", current, form.opened]);

  const set = (state: FormState) => forms.set(ask.id, state);

  const settle = (settlement: Settlement) =>
    end(async () => {
      await model.settle(ask, settlement);
      forms.forget(ask.id);
    });

  /** What takes this question from the person: nothing may do so twice, or before they have seen it. */
  async function end(work: () => Promise<void>): Promise<void> {
    if (busy || !isReady) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      settled();
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.code === "already_settled") return void model.refresh(ask.id);
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }

  function confirm(): void {
    if (endsAll(leaveField(form))) return setAside("cancel");
    const next = stepOn(form);
    if (next.phase !== "submitted") return set(next);
    void settle({ action: "answer", answers: answers(next) });
  }

  const close = () => setAside(undefined);
  const { task } = ask.origin;
  const isHub = model.place === "hub";
  const markDone = isInTask || isHub || task === undefined ? undefined : () => void end(() => model.markDone(task));
  const snooze = (minutes: number) => void end(() => model.snooze(ask, minutes));
  const focusOn = (name: string) => root.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();

  // Before the next key can come: somebody who types `j2` means the question that `j` brings.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
      if (aside !== undefined || (dialog && !dialog.contains(root.current))) return;
      const isInside = root.current?.contains(event.target as Node);
      if (isInside && event.key === "Enter" && (event.ctrlKey || event.metaKey))
        return (event.preventDefault(), confirm());
      if (!isPlainKey(event)) return;
      const { key } = event;
      if ((key === "Enter" || key === " ") && isPressable(event.target)) return;
      if (key === " " && event.target instanceof HTMLInputElement) return;
      const does = keyAction(key);
      if (!does || event.repeat) return;
      event.preventDefault();
      does();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });

  function keyAction(key: string): (() => void) | undefined {
    const question = questions[current];
    const rows = question?.options.length ?? 0;
    const order = question ? rowOrder(question) : [];
    const pick = (row: number) => (row === rows ? openOther() : set(pickRow(form, row)));
    const to = (by: number) => order[order.indexOf(form.row) + by] ?? form.row;
    const chosen = /^[1-9]$/.test(key) ? order[Number(key) - 1] : undefined;
    if (/^[1-9]$/.test(key) && phase === "review")
      return () => set(updateForm(form, { kind: "goTo", question: Number(key) - 1 }));
    if (chosen !== undefined && rows > 0) return () => pick(chosen);
    if (key === " " && phase === "answering") return () => pick(form.row);
    const keys: Record<string, () => void> = {
      Enter: confirm,
      ArrowDown: () => set(updateForm(form, { kind: "move", to: to(1) })),
      ArrowUp: () => set(updateForm(form, { kind: "move", to: to(-1) })),
      b: () => set(updateForm(form, { kind: "back" })),
      o: openOther,
      n: () => root.current?.querySelector<HTMLElement>(".note-toggle, [name=note]")?.click(),
      ...(declineWords(ask) && { d: () => setAside("decline") }),
      ...(declineWords(ask) && takesWords(ask) && { c: () => setAside("chat") }),
      ...(stopWords(ask) && { x: () => setAside("cancel") }),
      ...(!isHub && { s: () => setAside("snooze") }),
      ...(mayGrant(ask) && !isHub && { w: () => setAside("grant") }),
    };
    return keys[key];
  }

  function openOther(): void {
    set(updateForm(form, { kind: "openField" }));
    requestAnimationFrame(() => focusOn("other"));
  }

  return (
    <form
      ref={root}
      class="answer"
      aria-busy={busy}
      data-ready={isReady}
      onSubmit={(event) => (event.preventDefault(), confirm())}
    >
      {questions.length > 1 && <Steps form={form} set={set} />}
      {phase === "review" ? (
        <Review form={form} set={set} />
      ) : (
        <QuestionFields key={current} ask={ask} form={form} set={set} confirm={confirm} />
      )}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      {aside === undefined && (
        <FormActions ask={ask} form={form} busy={busy} set={set} open={setAside} markDone={markDone} isHub={isHub} />
      )}
      {aside === "edit" && (
        <EditCall ask={ask} busy={busy} problem={problem} close={close} send={(changed) => void settle(changed)} />
      )}
      {aside === "snooze" && <Snooze ask={ask} close={close} snooze={snooze} />}
      {aside === "grant" && (
        <GrantPanel
          ask={ask}
          busy={busy}
          close={close}
          give={(wish) =>
            void end(async () => {
              await model.give(ask, wish);
              forms.forget(ask.id);
            })
          }
        />
      )}
      {aside === "cancel" && (
        <Cancel ask={ask} busy={busy} close={close} send={() => void settle({ action: "cancel" })} />
      )}
      {(aside === "decline" || aside === "chat") && (
        <Refuse
          words={refuseWords(ask, aside)}
          busy={busy}
          close={close}
          send={(message) => void settle({ action: aside, ...(message !== "" && { message }) })}
        />
      )}
    </form>
  );
}
