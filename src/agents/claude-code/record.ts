import { join } from "node:path";
import { lineRecord } from "../line-record.ts";
import type { AgentRecord } from "../capability/record.ts";
import { configIn, owners } from "./owners.ts";
import { lines } from "./transcript.ts";

/** `~/.claude/projects/<folder>/<session>.jsonl`, and a file for each subagent beside it. */
export const record = {
  ...lineRecord(lines),
  pathOf: (transcript, subagent) =>
    subagent === undefined ? transcript : transcript.replace(/\.jsonl$/, () => `/subagents/agent-${subagent}.jsonl`),
  folderOf: ({ cwd, env }) => join(configIn(env), "projects", cwd.replaceAll(/[^a-zA-Z0-9]/g, "-")),
  owners,
} satisfies AgentRecord;
