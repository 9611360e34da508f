import { useEffect, useRef, useState } from "preact/hooks";
import type { TaskView } from "../../../../protocol/task.ts";
import { call } from "../api.ts";
import { Modal } from "../modal.tsx";
import { goTo, taskPath } from "../route.ts";
import type { NewTask as Order, TaskModel } from "./task-model.ts";

type Props = { tasks: TaskModel; known: readonly TaskView[] };
const MODES = ["acceptEdits", "plan", "dontAsk", "bypassPermissions"];
const BLANK = { prompt: "", cwd: "", name: "", model: "", permissionMode: "", gate: "", budget: "" };
/** Survives closing the dialog: nothing that was typed is lost by a wrong key. */
let draft = { ...BLANK, worktree: false, review: false };

export function NewTask({ tasks, known }: Props) {
  const [fields, setFields] = useState(draft);
  const [folders, setFolders] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const [budgetProblem, setBudgetProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const prompt = useRef<HTMLTextAreaElement>(null);
  const more = useRef<HTMLDetailsElement>(null);
  const budget = useRef<HTMLInputElement>(null);
  const set = (part: Partial<typeof draft>) => setFields((draft = { ...draft, ...part }));

  useEffect(() => {
    prompt.current?.focus();
    void knownFolders(known).then((found) => {
      setFolders(found);
      if (draft.cwd === "" && found[0] !== undefined) set({ cwd: found[0] });
    });
  }, []);

  /** Of what was typed last: a click may come before it is drawn. */
  async function submit(): Promise<void> {
    if (busy) return;
    setProblem(undefined);
    setBudgetProblem(undefined);
    if (draft.prompt.trim() === "") return setProblem("Say what the agent should do.");
    if (!draft.cwd.startsWith("/")) return setProblem("The folder must be an absolute path, starting with /.");
    if (draft.budget.trim() !== "" && !(Number(draft.budget) > 0 && Number.isFinite(Number(draft.budget)))) {
      if (more.current) more.current.open = true;
      budget.current?.focus();
      return setBudgetProblem("A number above 0, for example 2.50.");
    }
    setBusy(true);
    try {
      const made = await tasks.create(orderOf(draft));
      draft = { ...draft, prompt: "", name: "" };
      goTo(taskPath(made.id), { quietly: true });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  }

  const text = (name: keyof typeof BLANK) => ({
    name,
    value: fields[name],
    autocomplete: "off",
    onInput: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  });

  return (
    <Modal name="new-task" title="New task">
      <form
        onSubmit={(event) => (event.preventDefault(), void submit())}
        onKeyDown={(event) =>
          event.key === "Enter" && (event.ctrlKey || event.metaKey) && (event.preventDefault(), void submit())
        }
      >
        <h1>New task</h1>
        <label>
          What should the agent do?
          <textarea ref={prompt} {...text("prompt")} rows={6} maxLength={100_000} />
        </label>
        <label>
          Folder
          <input {...text("cwd")} list="folders" placeholder="/home/you/project" spellcheck={false} />
        </label>
        <datalist id="folders">
          {folders.map((folder) => (
            <option value={folder} />
          ))}
        </datalist>
        <label class="check">
          <input
            type="checkbox"
            checked={fields.worktree}
            onChange={(event) => set({ worktree: event.currentTarget.checked })}
          />
          In its own git worktree and branch
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={fields.review}
            onChange={(event) => set({ review: event.currentTarget.checked })}
          />
          Wait for my review before it is done
        </label>
        <details ref={more}>
          <summary>More</summary>
          <div class="pairs">
            <label>
              Name
              <input {...text("name")} maxLength={80} placeholder="the first words of the task" />
            </label>
            <label>
              Model
              <input {...text("model")} placeholder="the agent’s own" />
            </label>
            <label>
              Permission mode
              <select {...text("permissionMode")}>
                <option value="">default</option>
                {MODES.map((mode) => (
                  <option value={mode}>{mode}</option>
                ))}
              </select>
            </label>
            <label>
              Check command
              <input {...text("gate")} placeholder="npm test" spellcheck={false} />
            </label>
            <label>
              Budget in USD
              <input
                {...text("budget")}
                ref={budget}
                inputMode="decimal"
                placeholder="none"
                aria-invalid={budgetProblem !== undefined}
                aria-describedby={budgetProblem === undefined ? undefined : "budget-problem"}
              />
              {budgetProblem !== undefined && (
                <span class="error" role="alert" id="budget-problem">
                  {budgetProblem}
                </span>
              )}
            </label>
          </div>
        </details>
        {problem !== undefined && (
          <p class="error" role="alert">
            {problem}
          </p>
        )}
        <div class="actions">
          <button class="button primary" type="submit" disabled={busy}>
            Start
          </button>
          <p class="dim">The agent runs with the environment of Parley’s daemon.</p>
        </div>
      </form>
    </Modal>
  );
}

function orderOf({ prompt, cwd, name, model, permissionMode, gate, budget, worktree, review }: typeof draft): Order {
  const said = Object.entries({ name, model, permissionMode, gate }).filter(([, value]) => value.trim() !== "");
  return {
    prompt,
    cwd: cwd.trim(),
    worktree,
    review,
    ...Object.fromEntries(said),
    ...(budget.trim() !== "" && { budgetUsd: Number(budget) }),
  };
}

/** Where people and agents worked last, newest first. */
async function knownFolders(known: readonly TaskView[]): Promise<string[]> {
  const { sessions } = await call("listSessions", { query: { limit: 50 } }).catch(() => ({ sessions: [] }));
  const folders = [...known.map(({ order }) => order.cwd).toReversed(), ...sessions.map(({ cwd }) => cwd)];
  return [...new Set(folders.filter((folder) => folder !== undefined))].slice(0, 20);
}
