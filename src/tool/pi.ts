import { isUp } from "../client/wire.ts";
import { homeDir, pathsIn } from "../machine/home.ts";
import { createDaemonRef } from "./daemon-ref.ts";
import { createDialogRef } from "./dialog-ref.ts";
import { type AskUserQuestionDetails, AskUserQuestionError } from "./error.ts";
import { PATIENCE_MS, refuseTaken } from "./find-ref.ts";
import { type PiTheme, type PiUi, showInPi } from "./pi-dialog.ts";
import { ASK_USER_QUESTION_TOOL_NAME, validateAskUserQuestionArgs } from "./schema.ts";
import { type AskUserQuestionRef, collapsedTitle, createAskUserQuestionTool } from "./tool.ts";

/** The part of pi's extension interface that is used here (seen in 0.73.1). */
type PiContext = { ui: PiUi; hasUI: boolean; cwd: string };
type PiToolResult = { toolName: string; toolCallId: string; isError: boolean };
type Pi = {
  on(event: "session_start", handler: (event: unknown, context: PiContext) => Promise<void>): void;
  on(event: "tool_result", handler: (event: PiToolResult) => { details: AskUserQuestionDetails } | undefined): void;
  registerTool(tool: object): void;
  getAllTools(): { name: string; sourceInfo?: { path?: string } }[];
};

/** The extension for pi: draws the dialog in pi's own terminal, and sends the questions to Parley when it runs. */
export default function askUserQuestion(pi: Pi): void {
  const failures = new Map<string, AskUserQuestionDetails>();
  let isRegistered = false;

  pi.on("session_start", async (_event, context) => {
    // In its RPC mode pi has an interface, but nowhere to draw.
    const isTerminal = context.hasUI && process.stdout.isTTY;
    if (isRegistered || (!isTerminal && !(await isDaemonUp()))) return;
    try {
      refuseTaken(pi.getAllTools().map(({ name, sourceInfo }) => ({ name, source: sourceInfo?.path ?? "pi" })));
    } catch (error) {
      if (!isTerminal) throw error;
      return context.ui.notify((error as Error).message, "error");
    }
    isRegistered = true;
    pi.registerTool(toolFor(isTerminal ? context.ui : undefined, context.cwd, failures));
  });
  // pi keeps only the message of an error that a tool throws.
  pi.on("tool_result", ({ toolName, toolCallId, isError }) => {
    const details = failures.get(toolCallId);
    if (toolName !== ASK_USER_QUESTION_TOOL_NAME || !isError || !details) return undefined;
    failures.delete(toolCallId);
    return { details };
  });
}

function toolFor(ui: PiUi | undefined, cwd: string, failures: Map<string, AskUserQuestionDetails>): object {
  const tool = createAskUserQuestionTool(refFor(ui, cwd));
  return {
    ...tool,
    promptSnippet: "Ask the user multiple-choice questions",
    prepareArguments: refuseInvalid,
    async execute(id: string, args: unknown, signal: AbortSignal | undefined) {
      try {
        return await tool.execute(id, args, signal);
      } catch (error) {
        if (error instanceof AskUserQuestionError) failures.set(id, error.details);
        throw error;
      }
    },
    renderCall: (args: unknown, theme: PiTheme) => ({
      render: (width: number) => [titleLine(collapsedTitle(args), width, theme)],
      invalidate() {},
    }),
  };
}

/** The daemon may come and go while pi runs. */
function refFor(ui: PiUi | undefined, cwd: string): AskUserQuestionRef {
  const show = ui && showInPi(ui);
  const daemon = createDaemonRef({ agent: "pi", cwd, show, told: (sentence) => ui?.notify(sentence, "info") });
  const dialog = show ? createDialogRef(show) : daemon;
  return {
    handlesAbort: true,
    current: async (args, signal) => ((await isDaemonUp()) ? daemon : dialog).current!(args, signal),
  };
}

function isDaemonUp(): Promise<boolean> {
  return isUp(pathsIn(homeDir(process.env)), PATIENCE_MS);
}

/** Before pi's own look at the arguments, whose words are others and come one at a time. */
function refuseInvalid(args: unknown): unknown {
  const wrong = validateAskUserQuestionArgs(args);
  if (wrong !== null) throw new AskUserQuestionError("invalid", wrong);
  return args;
}

function titleLine(title: string, width: number, theme: PiTheme): string {
  const name = ASK_USER_QUESTION_TOOL_NAME.slice(0, width);
  const rest = ` ${title}`.slice(0, Math.max(0, width - name.length));
  return theme.fg("toolTitle", theme.bold(name)) + theme.fg("muted", rest);
}
