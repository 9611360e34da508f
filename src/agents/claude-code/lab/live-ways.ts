import { keptMark } from "../../../core/receipt/send.ts";
import { shortId } from "../../../core/id.ts";
import { dialogIn, pickOption, submitReview } from "./dialog.ts";
import { type AskOnLine, type LiveStage, LOOK_MS } from "./live-stage.ts";
import type { Pass, Receipt, Way } from "../../capability/lab.ts";
import type { Script } from "../../../lab/model.ts";
import { poll } from "../../../lab/poll.ts";
import { signal, treeOf } from "../../../lab/process-tree.ts";
import type { Tmux } from "../../../lab/tmux.ts";
import { ps } from "../../../machine/process/ps.ts";

const LABELS = ["SQLite", "Postgres", "DuckDB"];
const QUESTIONS = {
  shell: "Which database should we use?",
  terminal: "Which database for the tests?",
  resume: "Which database after a restart?",
  hold: "Which database, unattended?",
};

/** The model asks one question for each way when it is told `SCENARIO:<way>`. */
export const SCRIPT: Script = Object.fromEntries(
  Object.entries(QUESTIONS).map(([way, question]) => {
    const options = LABELS.map((label) => ({ label, description: `Use ${label}` }));
    const input = { questions: [{ question, header: "Database", multiSelect: false, options }] };
    return [way, [{ text: "One thing first." }, { tool: "AskUserQuestion", id: `toolu_${way}`, input }]];
  }),
);

/** Each expects an agent that waits for a prompt and leaves one behind; it throws with the reason when it does not work. */
export const WAYS: Record<Way, (stage: LiveStage, pass: Pass) => Promise<Receipt>> = {
  /** Answered by a command while the dialog is open. */
  async shell(stage: LiveStage, pass: Pass): Promise<Receipt> {
    const ask = await asks(stage, "shell", pass);
    return answered(stage, "shell", ask, pass);
  },

  /** Answered in the terminal first. */
  async terminal(stage: LiveStage, pass: Pass): Promise<Receipt> {
    const ask = await asks(stage, "terminal", pass);
    await stage.within("its dialog did not take the keys", pickInTerminal(stage.tmux, 3));
    pass("answered", "option 3 is picked in the terminal");
    const text = await received(stage, "terminal", "DuckDB");
    pass("received", `the model received: ${text}`);
    const what = `Parley did not close ${shortId(ask.id)} as answered elsewhere`;
    const after = await stage.ask(QUESTIONS.terminal, what, ({ state }) => state === "closed");
    const { outcome } = after;
    if (outcome?.type !== "answered-elsewhere") throw new Error(`${what}, but as ${outcome?.type}`);
    pass("closed", `Parley closed ${shortId(ask.id)}: answered elsewhere, in the terminal`);
    return { ask: ask.id, question: QUESTIONS.terminal, answer: "DuckDB", received: text, times: {} };
  },

  /** Answered while nobody could take it, and told to the session when it is resumed. */
  async resume(stage: LiveStage, pass: Pass): Promise<Receipt> {
    const session = crypto.randomUUID();
    await stage.startAgent("--session-id", session);
    const ask = await asks(stage, "resume", pass);
    const hooks = treeOf(stage.tmux.panePid()).filter(({ pid }) =>
      commandOf(pid).includes("hook claude-code PermissionRequest"),
    );
    for (const { pid } of hooks) signal(pid, "SIGSTOP");
    const kept = await stage.mustRun("answer", ask.id, "2");
    if (!kept.includes("saved")) throw new Error(`the answer was not saved: ${kept.trim()}`);
    pass("kept", `parley answer ${shortId(ask.id)} 2: ${kept.trim()}`);
    for (const { pid } of [...hooks, { pid: stage.tmux.panePid() }]) signal(pid, "SIGKILL");
    await stage.startAgent("--resume", session);
    await stage.prompt("go on");
    const told = () => stage.model.requests.some(({ messages }) => JSON.stringify(messages).includes(keptMark(ask)));
    const untold = "the model of the resumed session did not receive the kept answer";
    await stage.within(
      untold,
      poll(() => told() || undefined, { timeoutMs: LOOK_MS, failure: () => untold }),
    );
    pass("received", "the model of the resumed session received it");
    const what = "its transcript does not say that it received the kept answer";
    const { deliveries } = await stage.ask(QUESTIONS.resume, what, ({ state }) => state === "verified");
    if (deliveries[0]?.channel !== "resume") throw new Error(`${what}, but came by ${deliveries[0]?.channel}`);
    pass("verified", "Parley read the same in its transcript: verified");
    return { ask: ask.id, question: QUESTIONS.resume, answer: "Postgres", received: "", times: {} };
  },

  /** Hold mode: no dialog opens. */
  async hold(stage: LiveStage, pass: Pass): Promise<Receipt> {
    await stage.mustRun("setup", "claude-code", "--remove", "--yes");
    await stage.mustRun("setup", "claude-code", "--project", "--hold", "--yes");
    await stage.startAgent("--session-id", crypto.randomUUID());
    await stage.prompt("SCENARIO:hold");
    const ask = await onLine(stage, "hold");
    if ((await stage.tmux.screen()).includes("Chat about this")) throw new Error("a dialog opened in spite of --hold");
    pass("asked", `Claude Code asks “${QUESTIONS.hold}” without a dialog; it is ${shortId(ask.id)} in parley ls`);
    return answered(stage, "hold", ask, pass).catch(async (problem: unknown) => {
      const opened = dialogIn(await stage.tmux.screen()) !== undefined;
      throw opened ? new Error("the hook's answer was ignored: the dialog opened all the same") : problem;
    });
  },
};

async function asks(stage: LiveStage, way: Way, pass: Pass): Promise<AskOnLine> {
  await stage.prompt(`SCENARIO:${way}`);
  await stage.dialog(QUESTIONS[way]);
  const ask = await onLine(stage, way);
  pass("asked", `Claude Code asks “${QUESTIONS[way]}”: its dialog is open, and it is ${shortId(ask.id)} in parley ls`);
  return ask;
}

async function onLine(stage: LiveStage, way: Way): Promise<AskOnLine> {
  const isHeld = (ask: AskOnLine) => ask.reachable && ask.deliveries.some(({ key }) => key === `toolu_${way}`);
  const unheld = "the question reached Parley, but no hook waits for an answer";
  return stage.ask(QUESTIONS[way], unheld, isHeld).catch(async (problem: unknown) => {
    const listed = (await stage.mustRun("ls", "--all", "--json")).includes(QUESTIONS[way]);
    throw listed ? problem : new Error("the question did not reach Parley: its hooks did not run");
  });
}

/** Until 2.0.45 even a lone question has a page to look it over. */
async function pickInTerminal(tmux: Tmux, option: number): Promise<void> {
  await pickOption(tmux, option);
  if (/Review your answers/.test(dialogIn(await tmux.screen()) ?? "")) await submitReview(tmux);
}

async function answered(stage: LiveStage, way: Way, { id }: AskOnLine, pass: Pass): Promise<Receipt> {
  const said = await stage.mustRun("answer", id, "2");
  pass("answered", `parley answer ${shortId(id)} 2: ${said.trim()}`);
  const text = await received(stage, way, "Postgres");
  pass("received", `the model received: ${text}`);
  await stage.ask(QUESTIONS[way], "the answer was not verified", ({ state }) => state === "verified");
  const { events } = await stage.shown(id);
  const at = (type: string) => events.find((event) => event.type === type)?.at;
  const [settled, sent, verified] = ["ask.settled", "ask.sent", "ask.verified"].map(at);
  const since = (then: number | undefined) =>
    settled === undefined || then === undefined ? undefined : then - settled;
  const [toHook, toTranscript] = [since(sent), since(verified)];
  const times = { ...(toHook !== undefined && { toHook }), ...(toTranscript !== undefined && { toTranscript }) };
  pass("verified", "Parley read the same in Claude Code's own transcript: verified");
  return { ask: id, question: QUESTIONS[way], answer: "Postgres", received: text, times };
}

/** What the model itself was sent. Contract: exactly this answer to exactly this question, or it throws. */
async function received(stage: LiveStage, way: Way, label: string): Promise<string> {
  const waiting = stage.model.waitForToolResult(`toolu_${way}`, LOOK_MS);
  const { text, isError } = await stage.within("the model did not receive an answer", waiting);
  if (isError || !text.includes(`"${QUESTIONS[way]}"="${label}"`))
    throw new Error(`the model received something else: ${text}`);
  return text;
}

const commandOf = (pid: number): string => ps("-o", "command=", "-ww", "-p", String(pid));
