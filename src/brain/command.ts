import type { BrainConfigOf } from "../core/autopilot/brain-config.ts";
import { safeText } from "../core/text/text.ts";
import type { BrainRequest } from "./brain.ts";
import type { Message } from "./message.ts";
import { runProgram } from "./run-program.ts";
import type { BrainDeps, Think } from "./think.ts";

const USUAL = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"];

/** A program of the person's own: the request as JSON on its standard input, its reply on its standard output. */
export function createCommandBrain(
  { command, env: names }: BrainConfigOf<"command">,
  { env, folder }: Pick<BrainDeps, "env" | "folder">,
): Think {
  return async (message, request, signal) => {
    const given = Object.fromEntries([...USUAL, ...names].map((name) => [name, env[name]]));
    const input = `${JSON.stringify(inputFor(request, message))}\n`;
    return runProgram({ command, cwd: folder, env: given, input }, signal);
  };
}

/** `message` is all of it as one text, for programs that only hand it to a model. */
function inputFor(request: BrainRequest, { system, text }: Message) {
  const { ask, categories, phase, documents, precedents, said, corrections, conversation, mismatch } = request;
  const { session, agent, project, branch, cwd, lastText } = ask.origin;
  const questions = ask.questions.map((question, i) => ({
    index: i,
    category: categories?.[i],
    header: question.header,
    text: question.text,
    body: question.body,
    multiSelect: question.multiSelect,
    options: question.options.map(({ label, description, preview, recommended }, index) => ({
      index,
      label,
      description,
      preview,
      recommended,
    })),
  }));
  return {
    step: mismatch !== undefined ? "told" : request.isScreening ? "person" : "answer",
    ask: { id: ask.id, kind: ask.kind, agent, session, project, branch, directory: cwd },
    phase,
    questions,
    said: safeText(said ?? lastText ?? ""),
    documents,
    precedents,
    corrections,
    conversation: conversation?.id,
    mismatch,
    message: `${system}\n\n${text}`,
  };
}
