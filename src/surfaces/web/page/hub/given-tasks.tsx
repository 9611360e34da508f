import { useEffect, useState } from "preact/hooks";
import { hubTaskWords, machineWords } from "../../../../core/words/hub-words.ts";
import { safeLine, safeText } from "../../../../core/text/text.ts";
import { ageOf } from "../../../../core/words/time.ts";
import { randomKey } from "../api.ts";
import { useNow } from "../settings/subscribe.ts";
import type { HubTaskView } from "../../../../protocol/hub/hub.ts";
import { type Given, hub } from "./hub-api.ts";
import type { HubSnapshot } from "./hub-model.ts";

const AGAIN_MS = 1000;
/** Survives leaving the view. The key stays with the words: sent again, because its reply got lost, it is the same work. */
let draft = { prompt: "", place: "", once: randomKey() };

/** Work given on machines that allow it, and a form for more. */
export function GivenTasks({ snapshot }: { snapshot: HubSnapshot }) {
  const { team, machines, here } = snapshot;
  const me = here?.member;
  const now = useNow(AGAIN_MS);
  const [given, setGiven] = useState<Given>();
  const [problem, setProblem] = useState<string>();
  const failed = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));
  const read = () => hub.tasks().then(setGiven, failed);
  // Whoever gave, agreed or took back, and what a machine says of it: all of that is told.
  const online = machines.map((each) => `${each.id} ${each.online}`).join();
  useEffect(() => void read(), [team, online]);
  const act = (work: Promise<unknown>) => void work.then(() => setProblem(undefined), failed).then(read);
  /** Another one's, where this member may give some. */
  const mayAgree = (task: HubTaskView) =>
    task.state === "waiting" &&
    task.by !== me?.id &&
    given?.places.some(({ machine, project }) => machine.id === task.machine.id && project === task.project);
  const mayTakeBack = ({ by, project }: HubTaskView) =>
    by === me?.id ||
    me?.grants.some((grant) => grant.role === "admin" && (grant.project === null || grant.project === project));
  const tasks = given?.tasks ?? [];
  const asked = tasks.filter(mayAgree);
  const row = (task: HubTaskView) => (
    <li key={task.id}>
      <span class="top">
        <span class="text">{safeLine(task.name ?? task.prompt, { max: task.state === "waiting" ? 60 : 200 })}</span>
        <time>{ageOf(task.at, now)}</time>
      </span>
      <span class="facts">{safeLine(`${task.project} · ${machineWords(task.machine, now)}`, { max: 120 })}</span>
      <span class="said">{hubTaskWords(task, now)}</span>
      {task.state === "waiting" && <pre class="order">{safeText(task.prompt)}</pre>}
      {(task.state === "sent" || task.state === "waiting") && (
        <span class="actions">
          {mayAgree(task) && (
            <button class="button primary" type="button" onClick={() => act(hub.agreeToTask(task.id))}>
              Agree
            </button>
          )}
          {mayTakeBack(task) && (
            <button class="button" type="button" onClick={() => act(hub.takeTaskBack(task.id))}>
              Take back
            </button>
          )}
        </span>
      )}
    </li>
  );
  return (
    <div class="page">
      <h1>Tasks</h1>
      {asked.length > 0 && <ul class="entries given">{asked.map(row)}</ul>}
      {given && given.places.length > 0 && <Give given={given} done={read} failed={setProblem} />}
      {given?.places.length === 0 && (
        <p>No machine takes tasks of yours. Its person allows it when it joins: parley join … --tasks</p>
      )}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <ul class="entries given">{tasks.filter((task) => !mayAgree(task)).map(row)}</ul>
    </div>
  );
}

type Props = { given: Given; done: () => Promise<void>; failed: (problem: string | undefined) => void };

function Give({ given, done, failed }: Props) {
  const [{ prompt }, setFields] = useState(draft);
  const [busy, setBusy] = useState(false);
  const now = useNow(AGAIN_MS);
  const set = (part: Partial<typeof draft>) => setFields((draft = { ...draft, once: randomKey(), ...part }));
  const nameOf = ({ machine, project }: Given["places"][number]) => `${machine.id} ${project}`;

  /** The first one where nothing was chosen yet; never another one than what is shown. */
  const chosen = () => given.places.find((each) => draft.place === "" || nameOf(each) === draft.place);

  /** Of what was typed last: a click may come before it is drawn. */
  async function submit(): Promise<void> {
    if (busy) return;
    const place = chosen();
    if (draft.prompt.trim() === "") return failed("Say what the agent should do.");
    if (!place) return failed("That machine does not take tasks any more. Choose where.");
    setBusy(true);
    try {
      const order = { machine: place.machine.id, project: place.project, prompt: draft.prompt };
      await hub.giveTask(order, draft.once);
      set({ prompt: "" });
      failed(undefined);
      await done();
    } catch (error) {
      failed(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  const place = chosen();
  return (
    <form class="invite" onSubmit={(event) => (event.preventDefault(), void submit())}>
      <h3>New task</h3>
      <label>
        What should the agent do?
        <textarea
          rows={4}
          maxLength={100_000}
          value={prompt}
          onInput={(event) => set({ prompt: event.currentTarget.value })}
        />
      </label>
      <label>
        Where
        <select value={place && nameOf(place)} onChange={(event) => set({ place: event.currentTarget.value })}>
          {given.places.map((each) => (
            <option value={nameOf(each)}>
              {safeLine(`${each.project} on ${machineWords(each.machine, now)}`, { max: 120 })}
            </option>
          ))}
        </select>
      </label>
      {place?.needs && <p class="about">{needs(place.needs)}</p>}
      <button class="button primary" type="submit" disabled={busy || place?.needs?.signed === true}>
        {place?.needs?.two ? "Propose" : "Start"}
      </button>
    </form>
  );
}

const needs = ({ signed }: { signed: boolean }): string =>
  signed
    ? "A policy demands a signature here, and a task from a hub has none: give it on its machine."
    : "Two people are needed here: it begins when another approver or admin agrees.";
