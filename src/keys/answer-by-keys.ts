import type { Layout } from "../agents/capability/screen-layout.ts";
import { ParleyError } from "../core/error.ts";
import type { Question } from "../core/ask/question.ts";
import { nextStep, placeOf } from "./drive/drive.ts";
import { refuseIntent, type Intent } from "./drive/intent.ts";
import type { Capture, KeysPane } from "./pane.ts";
import { layoutsFor, type Reading, readPane } from "./read/read-pane.ts";
import type { Screen } from "./screen.ts";
import { readScreen } from "./read/read-screen.ts";
import { type Job, type Press, type Progress, START } from "./drive/step.ts";

export type KeysJob = {
  pane: KeysPane;
  layouts: readonly Layout[];
  /** The agent's, where known. */
  version?: string | undefined;
  questions: readonly Question[];
  intent: Intent;
  /** Called when the dialog was found to be the right one, before the first key; when it throws, no key is sent. */
  onIntent?: (() => Promise<void> | void) | undefined;
  signal?: AbortSignal | undefined;
  /** How long a key may take to show. */
  patienceMs?: number | undefined;
  /** How long the dialog may take to appear: its agent may say that it asks before it has drawn it. */
  appearsMs?: number | undefined;
};

/**
 * `sent`: the dialog is closed; what the agent received is another matter. `stopped`: `where` says in one sentence at
 * what place and why. With no keys sent it may be tried again; with any, never: nobody knows what they did.
 */
export type KeysResult =
  | { type: "sent"; keys: number }
  | { type: "stopped"; where: string; keys: number; screen: string };

/** As long as a new dialog must stand still: 2.1.325 ignores Enter in the first 200 ms, so that nobody answers by accident. */
const STILL_MS = 400;
/** A frame that is drawn by halves does not last so long. */
const SURPRISE_MS = 400;
const BEFORE_ENTER_MS = 200;
const EVERY_MS = 25;

type Look = { capture: Capture; screen: Screen };

/** Contract: one key at a time, each only after the screen has shown the effect of the one before. */
export async function answerByKeys(given: KeysJob): Promise<KeysResult> {
  const { pane, questions, intent, onIntent, signal, patienceMs = 5_000, appearsMs = 0 } = given;
  let keys = 0;
  let last: Capture = { text: "", width: 0, height: 0 };
  const stopped = (where: string): KeysResult => ({ type: "stopped", where, keys, screen: last.text });

  try {
    const candidates = layoutsFor(given.layouts, given.version);
    const refusal = refuseIntent(questions, intent, candidates);
    if (refusal !== undefined) return stopped(refusal);
    const {
      layout,
      capture,
      screen: first,
    } = await appeared(() => readPane(pane, candidates, { questions }), appearsMs);
    last = capture;
    if (!layout) return stopped(first.type === "unknown" ? first.why : "No agent's dialogs are known");
    const job: Job = { questions, intent, layout, width: capture.width, height: capture.height };
    const look = async (): Promise<Look> => {
      signal?.throwIfAborted();
      last = await pane.capture();
      return { capture: last, screen: readScreen(last.text, layout, questions) };
    };
    let progress: Progress = START;
    let shown: Look | undefined;
    for (;;) {
      const now = shown && !progress.fresh ? shown : await still(look, patienceMs);
      if (!now) return stopped(`${placeOf(progress, job)}: the screen keeps changing`);
      if (now.capture.width !== job.width || now.capture.height !== job.height)
        return stopped(`${placeOf(progress, job)}: the terminal was resized`);
      const step = nextStep(now.screen, progress, job);
      if (step.type === "stop") return stopped(`${step.place}: ${step.why}`);
      const isLast = "name" in step.key && (step.key.name === "Enter" || step.key.name === "Escape");
      if (isLast && !progress.fresh && !(await stays(now, look, patienceMs)))
        return stopped(`${step.place}: the screen changed before Enter: is somebody else typing here?`);
      if (keys === 0) await onIntent?.();
      keys += 1;
      await ("name" in step.key ? pane.key(step.key.name) : pane.type(step.key.text));
      const after = await effect(step, now, look, patienceMs);
      if (typeof after === "string") return stopped(`${step.place}: ${after}`);
      shown = after;
      if (step.leads === "done") return { type: "sent", keys };
      progress = step.leads;
    }
  } catch (error) {
    if (signal?.aborted) return stopped("It was cancelled");
    if (keys === 0 && !(error instanceof ParleyError)) throw error;
    return stopped((error as Error).message);
  }
}

async function appeared(look: () => Promise<Reading>, withinMs: number): Promise<Reading> {
  for (const deadline = performance.now() + withinMs; ; await Bun.sleep(EVERY_MS)) {
    const reading = await look();
    const isThere = reading.screen.type !== "unknown" && reading.screen.type !== "prompt";
    if (isThere || performance.now() >= deadline) return reading;
  }
}

/** The screen, once it has not changed for a while; undefined when it does not stop changing. */
async function still(look: () => Promise<Look>, patienceMs: number): Promise<Look | undefined> {
  const deadline = performance.now() + patienceMs;
  let seen = await look();
  let since = performance.now();
  // Looked at again however late it is: whoever was not run for long has seen nothing change.
  do {
    await Bun.sleep(EVERY_MS);
    const now = await look();
    if (now.capture.text !== seen.capture.text) since = performance.now();
    seen = now;
    if (performance.now() - since >= STILL_MS) return seen;
  } while (performance.now() < deadline);
  return undefined;
}

/** Enter cannot be taken back: a person's key that is on its way must have shown itself before. */
async function stays({ screen }: Look, look: () => Promise<Look>, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  let since = performance.now();
  do {
    await Bun.sleep(EVERY_MS);
    const now = await look();
    if (now.screen.type === "unknown") since = performance.now();
    else if (withoutTabs(now.screen) !== withoutTabs(screen)) return false;
    if (performance.now() - since >= BEFORE_ENTER_MS) return true;
  } while (performance.now() < deadline);
  return false;
}

/** Some mark a tab as answered a moment after its text was typed; who goes to another one changes more than that. */
const withoutTabs = (screen: Screen): string =>
  JSON.stringify(screen.type === "question" ? { ...screen, tabs: [] } : screen);

/** The screen that shows what the key should do; otherwise what is wrong. */
async function effect(
  { key, expect, nearly }: Press,
  before: Look,
  look: () => Promise<Look>,
  patienceMs: number,
): Promise<Look | string> {
  const name = "name" in key ? key.name : "the text";
  const unchanged = JSON.stringify(before.screen);
  const deadline = performance.now() + patienceMs;
  let met: number | undefined;
  let odd: { text: string; since: number } | undefined;
  let now = before;
  // Looked at once more however late it is, as above.
  for (let isLate = false; !isLate; await Bun.sleep(EVERY_MS)) {
    isLate = performance.now() >= deadline && met === undefined;
    now = await look();
    // A frame that is drawn by halves looks like a closed dialog for a moment; a closed one stays so.
    if (!expect(now.screen)) met = undefined;
    else if (now.screen.type !== "unknown") return now;
    else met ??= performance.now();
    if (met !== undefined && performance.now() - met >= SURPRISE_MS) return now;
    const waits = JSON.stringify(now.screen) === unchanged || now.screen.type === "unknown" || nearly?.(now.screen);
    if (waits) odd = undefined;
    else if (odd?.text !== now.capture.text) odd = { text: now.capture.text, since: performance.now() };
    else if (performance.now() - odd.since >= SURPRISE_MS)
      return `after ${name} the screen shows something that this key does not explain: is somebody else typing here?`;
  }
  if (now.screen.type === "unknown") return `after ${name}: ${now.screen.why}`;
  return `${name} had no effect within ${patienceMs / 1000} s`;
}
