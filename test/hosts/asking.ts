import { expect } from "bun:test";
import { poll } from "../../src/lab/poll.ts";
import type { OpenEnd } from "../../src/dialog/open-dialog.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { createDaemonRef, type DaemonRefOptions } from "../../src/tool/daemon-ref.ts";
import type { ShowDialog } from "../../src/tool/dialog-ref.ts";
import type { AskUserQuestionError } from "../../src/tool/error.ts";
import { createAskUserQuestionTool } from "../../src/tool/tool.ts";
import type { Program } from "../e2e/program.ts";

const options = (...labels: string[]) => labels.map((label) => ({ label, description: `What ${label} means` }));

/** What a model writes: one question, and one of several choices. */
export const args = (text = "Which database?") => ({
  questions: [
    { question: text, header: "Database", multiSelect: false, options: options("SQLite", "Postgres") },
    { question: "Which features?", header: "Features", multiSelect: true, options: options("Auth", "A, B", "Search") },
  ],
});
export const ONE = { questions: args().questions.slice(0, 1) };

export const failure = (work: Promise<unknown>): Promise<AskUserQuestionError> =>
  work.then(
    () => expect.unreachable("it was not rejected"),
    (error: AskUserQuestionError) => error,
  );

/** The tool of an agent in this process that sends its questions to the daemon of `program`. */
export function toolOf(program: Program, more: Partial<DaemonRefOptions> = {}) {
  const env = { PARLEY_HOME: program.home, TMUX: "/tmp/tmux-0/default,12,0", TMUX_PANE: "%7" };
  const ref = createDaemonRef({ agent: "my-agent", cwd: program.user, env, ...more });
  return { ...createAskUserQuestionTool(ref), idle: ref.idle };
}

/** The Ask whose first question is this, once it is so. */
export function askOf(
  program: Program,
  text = "Which database?",
  ready: (ask: AskView) => boolean = () => true,
): Promise<AskView> {
  const client = program.client();
  const look = async () =>
    (await client.call("listAsks", { query: { state: "all" } })).asks.find(
      (ask) => ask.questions[0]?.text === text && ready(ask),
    );
  return poll(look, { failure: () => `no ask ${JSON.stringify(text)} became so` });
}

/** A dialog that a test answers by hand; the signal closes it as it does the real one. */
export function handDialog() {
  const open: { end: (end: OpenEnd) => void; text: string | undefined }[] = [];
  const state = { shown: 0, closed: 0 };
  const show: ShowDialog = ({ questions, signal }) =>
    new Promise((resolve) => {
      state.shown++;
      open.push({ end: resolve, text: questions[0]?.text });
      const close = () => (state.closed++, resolve({ type: "aborted", draft: { current: 0, entries: [] } }));
      if (signal.aborted) close();
      signal.addEventListener("abort", close);
    });
  const end = async (index: number, how: OpenEnd) => {
    const dialog = await poll(() => open[index], { failure: () => `dialog ${index} was not shown` });
    dialog.end(how);
  };
  return { show, state, end };
}
