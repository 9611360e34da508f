import { claudeCode } from "../../src/agents/claude-code/claude-code.ts";
import { answerByKeys, type KeysJob, type KeysResult } from "../../src/keys/answer-by-keys.ts";
import type { Intent } from "../../src/keys/drive/intent.ts";
import { openPane, type KeysPane, type PaneAddress } from "../../src/keys/pane.ts";
import { type ClaudeLab, createClaudeLab } from "../../src/agents/claude-code/lab/claude-lab.ts";
import { dialogIn } from "../../src/agents/claude-code/lab/dialog.ts";
import { waitForInputBox } from "../../src/agents/claude-code/lab/prompt.ts";
import { createScriptedModel, type Say, type ScriptedModel } from "../../src/lab/model.ts";
import type { Question } from "../../src/core/ask/question.ts";
import type { Shape } from "./keys-shapes.ts";
import { programOf, type ToolQuestion } from "./stage.ts";

/** So long an agent may take to draw what a key does; where it is known to draw nothing readable, all of it is waited. */
const DRAWN_MS = 60_000;

export type KeysStage = {
  claude: ClaudeLab;
  model: ScriptedModel;
  pane: KeysPane;
  /** Another pane of the same terminal. */
  at(address: PaneAddress): Promise<KeysPane>;
  /** Makes the agent ask and waits until something of the dialog is drawn; gives the ids of the calls. */
  asks(...calls: (readonly ToolQuestion[])[]): Promise<string[]>;
  answer(job: Pick<KeysJob, "questions" | "intent"> & Partial<KeysJob>): Promise<KeysResult>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real Claude Code in a terminal of that size, without any hooks. */
export async function openKeysStage(version: string, [width, height]: Shape["size"]): Promise<KeysStage> {
  const script: Record<string, Say[]> = {};
  const model = createScriptedModel({ script });
  const claude = await createClaudeLab({ program: programOf(version), model, width, height });
  const pane = await openPane(claude.tmux.address());
  let turn = 0;
  return {
    claude,
    model,
    pane,
    at: openPane,
    async asks(...calls) {
      turn += 1;
      const ids = calls.map((_, i) => `toolu_${turn}_${i}`);
      script[`turn-${turn}`] = calls.map((questions, i) => ({
        tool: "AskUserQuestion",
        id: ids[i] ?? "",
        input: { questions },
      }));
      await claude.prompt(`SCENARIO:turn-${turn}`);
      await claude.tmux.waitFor(/Enter to select/);
      return ids;
    },
    answer: (job) => answerByKeys({ pane, layouts: claudeCode.screens ?? [], version, patienceMs: DRAWN_MS, ...job }),
    async [Symbol.asyncDispose]() {
      await claude.close();
      await model.close();
    },
  };
}

export const stored = (questions: readonly ToolQuestion[]): Question[] =>
  questions.map(({ question: text, header, multiSelect, options }) => ({
    text,
    header,
    multiSelect,
    options: options.map((option) => ({ recommended: false, ...option })),
  }));

export const intentOf = ({ answers, chat }: Shape): Intent =>
  chat === undefined ? { type: "answers", answers: answers ?? [] } : { type: "chat", text: chat };

/** `refused` is meant to be; `stopped` is not, but the agent received nothing that was not meant. */
export type Played = { kind: "right" | "refused" | "stopped" | "wrong"; detail: string };

export async function play(stage: KeysStage, shape: Shape, version: string): Promise<Played> {
  const { questions, stacked, refused, mayStop } = shape;
  const wanted = typeof shape.received === "string" ? shape.received : (shape.received[version] ?? "");
  const [id = ""] = await stage.asks(questions, ...(stacked ? [stacked] : []));
  const dialogs = stacked ? await inOrder(stage, questions, stacked) : [questions];
  for (const each of dialogs) {
    const intent: Intent = each === questions ? intentOf(shape) : { type: "answers", answers: [{ picks: [0] }] };
    const result = await stage.answer({ questions: stored(each), intent });
    if (result.type === "sent") continue;
    const isMeant =
      (result.keys === 0 && refused?.[version]?.test(result.where)) || mayStop?.[version]?.test(result.where);
    await stage.claude.tmux.keys("Escape");
    await waitForInputBox(stage.claude.tmux);
    const received = stage.model.toolResults().find(({ toolUseId }) => toolUseId === id);
    const detail = `${result.where} (after ${result.keys} keys)\n${result.screen}`;
    if (received && !received.text.includes(wanted)) return { kind: "wrong", detail: `${detail}\n${received.text}` };
    return { kind: isMeant ? "refused" : "stopped", detail };
  }
  const { text } = await stage.model.waitForToolResult(id);
  if (refused?.[version]) return { kind: "wrong", detail: `answered what should be refused: ${text}` };
  if (text.includes(wanted)) return { kind: "right", detail: "" };
  return { kind: "wrong", detail: `received ${JSON.stringify(text)}, not ${JSON.stringify(wanted)}` };
}

/** Versions differ in which of two calls they show first. */
async function inOrder(stage: KeysStage, a: readonly ToolQuestion[], b: readonly ToolQuestion[]) {
  const shows = (screen: string, [first]: readonly ToolQuestion[]) =>
    (dialogIn(screen) ?? "").includes(first?.question ?? "");
  const screen = await stage.claude.tmux.waitFor((text) => shows(text, a) || shows(text, b));
  return shows(screen, a) ? [a, b] : [b, a];
}
