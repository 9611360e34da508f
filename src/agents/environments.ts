import { environment as acp } from "./acp/environment.ts";
import { environment as claudeCode } from "./claude-code/environment.ts";
import { environment as codex } from "./codex/environment.ts";
import { environment as copilot } from "./copilot/environment.ts";
import { environment as gemini } from "./gemini/environment.ts";
import { environment as opencode } from "./opencode/environment.ts";
import { environment as pi } from "./pi/environment.ts";
import { environment as qwen } from "./qwen/environment.ts";

const ALL = [claudeCode, opencode, codex, copilot, gemini, qwen, pi, acp];

/** Where agents keep settings and records. */
export const PLACES: readonly string[] = [...new Set(ALL.flatMap(({ places }) => places))];

/** It says that a process runs inside an agent's session. */
export const isMark = (name: string): boolean => ALL.some(({ marks }) => marks.includes(name));

/** An agent needs it of the person who starts it. */
export const isAccount = (name: string): boolean =>
  !isMark(name) && ALL.some(({ account }) => account.some((shape) => shape.test(name)));
