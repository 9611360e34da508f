import { useEffect, useRef } from "preact/hooks";

const KEYS: [keys: string[], does: string][] = [
  [["j", "k"], "next, previous question in the list"],
  [["1", "…", "9"], "choose an option"],
  [["↑", "↓"], "move between the options"],
  [["Space"], "choose the marked option, or take it back"],
  [["Enter"], "confirm; with several questions: next"],
  [["b"], "back to the question before"],
  [["o"], "answer in your own words"],
  [["n"], "add a note"],
  [["s"], "snooze"],
  [["w"], "allow it for a while"],
  [["d"], "deny or decline"],
  [["x"], "stop the agent"],
  [["c"], "chat about this"],
  [["h", "l"], "on the board: the column beside"],
  [["n"], "on the board: a new task"],
  [["/"], "search"],
  [["Esc"], "leave a field or a panel"],
  [["?"], "this list"],
];

export function Help({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-label="Keyboard shortcuts" onClose={close}>
      <h2>Keyboard</h2>
      <dl>
        {KEYS.map(([keys, does]) => (
          <div>
            <dt>
              {keys.map((key) => (
                <kbd>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button class="button" type="submit">
          Close
        </button>
      </form>
    </dialog>
  );
}
