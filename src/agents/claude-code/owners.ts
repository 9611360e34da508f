import { join } from "node:path";
import { z } from "zod";
import type { AgentRecord } from "../capability/record.ts";

type Env = Record<string, string | undefined>;
const Owner = z.looseObject({
  pid: z.number(),
  sessionId: z.string(),
  /** On Linux the start as the kernel counts it. */
  procStart: z.string().optional().catch(undefined),
});

export const configIn = (env: Env): string => env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] || "/", ".claude");

/** `~/.claude/sessions/<pid>.json`, seen in 2.1.197 and 2.1.325: it stays when its process is killed. */
export const owners: NonNullable<AgentRecord["owners"]> = {
  folder: (env) => join(configIn(env), "sessions"),
  pathOf: (pid, env) => join(configIn(env), "sessions", `${pid}.json`),
  read(text) {
    const parsed = Owner.safeParse(jsonOf(text));
    if (!parsed.success) return undefined;
    const { pid, sessionId, procStart } = parsed.data;
    const started = procStart !== undefined && /^\d+$/.test(procStart) ? procStart : undefined;
    return { pid, session: sessionId, started };
  },
};

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
