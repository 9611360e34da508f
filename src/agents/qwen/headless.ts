import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Headless, StreamItem } from "../capability/headless.ts";

/** In its own words: the name of a session that its client has chosen. */
const SESSION = "qwen-code/sessionId";
const Item = z.looseObject({
  type: z.enum(["said", "called", "returned", "began", "ended"]),
});

/**
 * By the Agent Client Protocol, which `qwen serve` puts a web server in front of: nothing listens, nothing outlives its run,
 * and its questions come the same way as behind an editor.
 */
export const headless: Headless = {
  isAcp: true,
  tellsCost: false,
  looksFirst: false,
  recordOf: (session, cwd, env) =>
    join(env["HOME"] || homedir(), ".qwen/projects", cwd.replaceAll(/[^a-zA-Z0-9]/g, "-"), "chats", `${session}.jsonl`),
  command({ session, start, prompt, model, permissionMode }) {
    const isNew = start.how === "prompt";
    const said = start.how === "message" ? start.message : prompt;
    return {
      // Its usual mode lets a model decide what needs leave.
      args: [
        "--acp",
        "--approval-mode",
        permissionMode ?? "default",
        ...(model === undefined ? [] : ["--model", model]),
      ],
      input: `${JSON.stringify({ session, isNew, prompt: said, meta: { [SESSION]: session } })}\n`,
      inputUntil: "ended",
      leaveOut: [],
    };
  },
  settings: () => ({}),
  defer: null,
  canDefer: () => false,
  interrupt: null,
  modes: ["default", "plan", "auto-edit", "auto", "yolo"],
  carefulModes: ["default", "plan"],
  isUnknownSession: (errors) => /session.{0,80}not found|not found.{0,80}session/i.test(errors),
  readStream,
};

/** As `parley acp-task` prints it: the items themselves. */
function readStream(line: string): StreamItem[] {
  try {
    const item = Item.safeParse(JSON.parse(line));
    return item.success ? [item.data as unknown as StreamItem] : [];
  } catch {
    return [];
  }
}
