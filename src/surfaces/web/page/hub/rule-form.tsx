import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Person } from "../../../../protocol/hub/hub-page.ts";
import type { HubRules, RuleChange } from "../../../../protocol/hub/hub-rules.ts";
import { Modal } from "../modal.tsx";

/** What a form about the team's rules gets. */
export type RuleProps = {
  rules: HubRules;
  people: readonly Person[];
  projects: readonly string[];
  change: (wish: RuleChange) => Promise<void>;
  /** Somebody else has changed it since it was opened. */
  isOld: boolean;
  close: () => void;
};

/** What was chosen, as the hub takes it. */
export const chosenOf = ({ project, kind }: { project: string; kind: string }) => ({
  ...(project.trim() !== "" && { project: project.trim() }),
  ...(kind !== "" && { kind }),
});

type AboutProps = Pick<RuleProps, "projects"> & {
  kinds: readonly string[];
  of: { project: string; kind: string };
  setOf: (of: { project: string; kind: string }) => void;
};

/** Of which questions. */
export function About({ of, setOf, kinds, projects }: AboutProps) {
  return (
    <>
      <label>
        Of project
        <input
          list="projects"
          placeholder="all of them"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          value={of.project}
          onInput={(event) => setOf({ ...of, project: event.currentTarget.value })}
        />
      </label>
      <datalist id="projects">
        {projects.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <label>
        Of kind
        <select value={of.kind} onChange={(event) => setOf({ ...of, kind: event.currentTarget.value })}>
          <option value="">any</option>
          {kinds.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
    </>
  );
}

type FormProps = {
  title: string;
  save: () => Promise<void>;
  remove?: (() => Promise<void>) | undefined;
  /** What is to be known before it is removed. */
  after: string;
  isOld: boolean;
  close: () => void;
  children: ComponentChildren;
};

/** Over the page. Contract: closes when the hub took it; else it stays, with the hub's words. */
export function RuleForm({ title, save, remove, after, isOld, close, children }: FormProps) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [isSure, setSure] = useState(false);

  async function run(work: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      close();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  }

  return (
    <Modal name="rule" title={title} close={close}>
      <form onSubmit={(event) => (event.preventDefault(), void run(save))}>
        <h1>{title}</h1>
        {children}
        {isOld && !isBusy && (
          <p class="about" role="status">
            Somebody has changed this meanwhile: cancel to see it, or save yours in its place.
          </p>
        )}
        <p class="error" role="alert">
          {problem}
        </p>
        <div class="actions">
          <button class="button primary" type="submit" disabled={isBusy}>
            Save
          </button>
          <button class="button" type="button" onClick={close}>
            Cancel
          </button>
          {remove && (
            <button
              class="button quiet remove"
              type="button"
              disabled={isBusy}
              onClick={() => (isSure ? void run(remove) : setSure(true))}
            >
              {isSure ? "Press again to remove" : "Remove"}
            </button>
          )}
        </div>
        {remove && (
          <p class="dim" role="status">
            {isSure && after}
          </p>
        )}
      </form>
    </Modal>
  );
}
