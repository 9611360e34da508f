import {
  chatAboutThis,
  leaveTab,
  pickOption,
  pickWithNote,
  pressEsc,
  submitReview,
  typeAnswer,
  waitForDialog,
} from "./dialog.ts";
import type { Say } from "../../../lab/model.ts";
import type { Order, Stage } from "./record-stage.ts";
import type { Tmux } from "../../../lab/tmux.ts";

export type RecordedCase = {
  asks: readonly Say[];
  settings?: object;
  /** PermissionRequest is held when nothing else is said. */
  orders?: Readonly<Record<string, Order>>;
  versions?: readonly string[];
  drive(stage: Stage): Promise<void>;
};

const approach = question("Which approach should we use?", "Approach", ["Option A", "Option B", "Option C"]);
const database = question("Which database?", "Database", ["SQLite", "Postgres"]);
const features = question("Which features do you want?", "Features", ["Auth", "Search", "Export"], true);
const quoted = question("Which greetings do you want?", "Greetings", ['Say "hi"', "A, B", "Plain"], true);
const unicode = question("Which naïve — 日本語 — name? 🦊", "名前", ["Zoë 👩‍💻", "日本語ラベル", "עברית‎"]);
const layout = {
  ...question("Which layout do you like?", "Layout", []),
  options: [
    { label: "Grid", description: "Two columns", preview: "+--+--+\n|a |b |\n+--+--+" },
    { label: "List", description: "One column", preview: "- a\n- b" },
  ],
};

export const CASES: Readonly<Record<string, RecordedCase>> = {
  "single-select": inTerminal([approach], async ({ tmux }) => pickOption(tmux, 2)),
  "free-text": inTerminal([approach], async ({ tmux }) => typeAnswer(tmux, 'my own, with "quotes"')),
  "multi-select": inTerminal([features], async ({ tmux }) => {
    await pickOption(tmux, 1);
    await pickOption(tmux, 3);
    await leaveTab(tmux);
    await submitReview(tmux);
  }),
  "multi-select-commas-quotes": inTerminal([quoted], async ({ tmux }) => {
    await pickOption(tmux, 1);
    await pickOption(tmux, 2);
    await pickOption(tmux, 3);
    await typeAnswer(tmux, 'plus, my "own"');
    await leaveTab(tmux);
    await submitReview(tmux);
  }),
  "four-questions": inTerminal([approach, features, database, quoted], async ({ tmux }) => {
    await pickOption(tmux, 3);
    await waitForDialog(tmux, features.question);
    await pickOption(tmux, 2);
    await leaveTab(tmux);
    await waitForDialog(tmux, database.question);
    await typeAnswer(tmux, "DuckDB");
    await waitForDialog(tmux, quoted.question);
    await pickOption(tmux, 2);
    await leaveTab(tmux);
    await submitReview(tmux);
  }),
  "preview-notes": inTerminal([layout], async ({ tmux }) => pickWithNote(tmux, 2, "dense please")),
  unicode: inTerminal([unicode], async ({ tmux }) => pickOption(tmux, 2)),
  escape: inTerminal([approach], async ({ tmux }) => pressEsc(tmux)),
  chat: inTerminal([approach], async ({ tmux }) => chatAboutThis(tmux)),
  "two-in-one-message": together([approach], [database], async ({ tmux }) => {
    await answerShown(tmux);
    await answerShown(tmux);
  }),
  "two-in-one-message-escape": together([approach], [database], async ({ tmux }) => {
    await waitForDialog(tmux, "Which");
    await pressEsc(tmux);
  }),
  "twins-in-one-message": together([approach], [approach], async ({ tmux }) => {
    await waitForDialog(tmux, approach.question);
    await pickOption(tmux, 2);
    await waitForDialog(tmux, approach.question);
    await pickOption(tmux, 3);
  }),
  "answered-by-hook": byHook({
    behavior: "allow",
    updatedInput: { questions: [approach], answers: { [approach.question]: "Option B" } },
  }),
  "answered-by-hook-with-notes": byHook({
    behavior: "allow",
    updatedInput: {
      questions: [approach],
      answers: { [approach.question]: "Option B" },
      annotations: { [approach.question]: { notes: "keep it small" } },
    },
  }),
  "denied-by-hook": byHook({ behavior: "deny", message: "text" }),
  "denied-by-hook-interrupt": byHook({ behavior: "deny", message: "text", interrupt: true }),
  "held-by-pretooluse": {
    asks: [ask("toolu_ask", [approach])],
    orders: { PreToolUse: { hold: true } },
    async drive(stage) {
      await stage.waitForHook("PreToolUse");
      const updatedInput = { questions: [approach], answers: { [approach.question]: "Option B" } };
      const decision = { permissionDecision: "allow", updatedInput };
      await stage.order("PreToolUse", { output: hookOutput("PreToolUse", decision) });
      await stage.waitForResults("toolu_ask");
    },
  },
  "killed-and-resumed": {
    asks: [ask("toolu_ask", [approach])],
    async drive(stage) {
      await waitForDialog(stage.tmux, approach.question);
      await stage.waitForHook("PermissionRequest");
      await stage.quiet();
      await stage.lab.kill("SIGKILL");
      const additionalContext = "PARLEY-KEPT-ANSWER Which approach should we use? → Option B";
      await stage.order("SessionStart", { output: hookOutput("SessionStart", { additionalContext }) });
      await stage.lab.resume();
      await stage.waitForHook("SessionStart", 2);
      await stage.lab.prompt("go on");
      await stage.waitForHook("Stop");
    },
  },
  "terminal-closed": {
    asks: [ask("toolu_ask", [approach])],
    async drive(stage) {
      await waitForDialog(stage.tmux, approach.question);
      await stage.waitForHook("PermissionRequest");
      await stage.quiet();
    },
  },
  "agents-own-timeout": {
    asks: [ask("toolu_ask", [approach])],
    settings: { askUserQuestionTimeout: "60s" },
    versions: ["2.1.325"],
    drive: (stage) => stage.waitForResults("toolu_ask"),
  },
};

type AskedQuestion = ReturnType<typeof question>;

function inTerminal(questions: readonly AskedQuestion[], answer: (stage: Stage) => Promise<void>): RecordedCase {
  return {
    asks: [{ text: "Let me ask." }, ask("toolu_ask", questions)],
    async drive(stage) {
      await stage.waitForHook("PermissionRequest");
      await waitForDialog(stage.tmux, questions[0]?.question ?? "");
      await answer(stage);
      await stage.waitForResults("toolu_ask");
    },
  };
}

function byHook(decision: Record<string, unknown>): RecordedCase {
  return {
    asks: [ask("toolu_ask", [approach])],
    async drive(stage) {
      await stage.waitForHook("PermissionRequest");
      await waitForDialog(stage.tmux, approach.question);
      await stage.order("PermissionRequest", { output: hookOutput("PermissionRequest", { decision }) });
      await stage.waitForResults("toolu_ask");
    },
  };
}

function together(
  first: readonly AskedQuestion[],
  second: readonly AskedQuestion[],
  answer: (stage: Stage) => Promise<void>,
): RecordedCase {
  return {
    asks: [ask("toolu_first", first), ask("toolu_second", second)],
    async drive(stage) {
      await stage.waitForHook("PermissionRequest", 2);
      await answer(stage);
      await stage.waitForResults("toolu_first", "toolu_second");
    },
  };
}

/** Which of two calls is shown first is up to the agent: approach gets its second option, database its first. */
async function answerShown(tmux: Tmux): Promise<void> {
  const screen = await waitForDialog(tmux, "Which");
  await pickOption(tmux, screen.includes(`\n${approach.question}\n`) ? 2 : 1);
}

function hookOutput(hookEventName: string, said: Record<string, unknown>) {
  return { hookSpecificOutput: { hookEventName, ...said } };
}

function ask(id: string, questions: readonly AskedQuestion[]): Say {
  return { tool: "AskUserQuestion", id, input: { questions } };
}

function question(text: string, header: string, labels: readonly string[], multiSelect = false) {
  const options: { label: string; description: string; preview?: string }[] = labels.map((label, i) => ({
    label,
    description: `What ${i + 1} means`,
  }));
  return { question: text, header, options, multiSelect };
}
