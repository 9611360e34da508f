import { useEffect, useState } from "preact/hooks";
import { hubTaskWords, machineWords } from "../../../../core/words/hub-words.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { ageOf } from "../../../../core/words/time.ts";
import { randomKey } from "../api.ts";
import { useNow } from "../settings/subscribe.ts";
import { type Given, hub } from "./hub-api.ts";

const AGAIN_MS = 1000;
/** Survives leaving the view. The key stays with the words: sent again, because its reply got lost, it is the same work. */
let draft = { prompt: "", place: "", once: randomKey() };

/** Work given on machines that allow it, and a form for more. */
export function GivenTasks() {
  const now = useNow(AGAIN_MS);
  const [given, setGiven] = useState<Given>();
  const [problem, setProblem] = useState<string>();
  const failed = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));
  const read = () => hub.tasks().then(setGiven, failed);
  useEffect(() => void read(), []);
  // Until its machine has said what became of it.
  const isWaiting = given?.tasks.some(({ state }) => state === "sent") ?? false;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => void read(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);

  const takeBack = (id: string) => void hub.takeTaskBack(id).then(read, failed);
  return (
    <div class="page">
      <h1>Tasks</h1>
      {given && given.places.length > 0 && <Give given={given} done={read} failed={setProblem} />}
      {given?.places.length === 0 && (
        <p>No machine takes tasks of yours. Its person allows it when it joins: parley join … --tasks</p>
      )}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <ul class="entries given">
        {given?.tasks.map((task) => (
          <li key={task.id}>
            <span class="top">
              <span class="text">{safeLine(task.name ?? task.prompt, { max: 200 })}</span>
              <time>{ageOf(task.at, now)}</time>
            </span>
            <span class="facts">{safeLine(`${task.project} · ${machineWords(task.machine, now)}`, { max: 120 })}</span>
            <span class="said">{hubTaskWords(task, now)}</span>
            {task.state === "sent" && (
              <button class="button" type="button" onClick={() => takeBack(task.id)}>
                Take back
              </button>
            )}
          </li>
        ))}
      </ul>
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
      <button class="button primary" type="submit" disabled={busy}>
        Start
      </button>
    </form>
  );
}
