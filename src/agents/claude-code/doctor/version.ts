import { CONFORMANCE, type Conformance } from "../lab/conformance.ts";
import { claudeVersion } from "../lab/version.ts";
import { type Finding, note, ok, problem } from "../../../core/finding.ts";
import type { Installed } from "../../installed.ts";

const PROVE = "parley doctor --live";
const STANDING = { ok: "works", note: "untried", problem: "fails" } as const;

/** Claude Code as the shell finds it, and what is known about that version. */
export async function checkClaudeCode(env: Record<string, string | undefined>): Promise<Installed> {
  const path = Bun.which("claude", { PATH: env["PATH"] ?? "" });
  if (path === null) {
    const finding = note("claude-code", "Claude Code is not on your PATH", "npm install -g @anthropic-ai/claude-code");
    return { finding };
  }
  const version = await claudeVersion(path, env);
  const mute = () => problem("claude-code", `${path} does not report its version`, `see why: ${path} --version`);
  const finding = version === undefined ? mute() : judge(`Claude Code ${version} (${path})`, version, CONFORMANCE);
  const standing = STANDING[finding.level];
  return { finding, installed: { path, ...(version !== undefined && { version, standing }) } };
}

/** `known` is newest first. A way is only claimed where somebody has seen it work. */
export function judge(name: string, version: string, known: readonly Conformance[]): Finding {
  const same = known.find((row) => row.version === version);
  if (same) return tested(name, same);
  const newer = known.findLast((row) => Bun.semver.order(row.version, version) > 0);
  const older = known.find((row) => Bun.semver.order(row.version, version) < 0);
  if (!older) return note("claude-code", `${name} is older than every tested version`, PROVE);
  if (!newer) return note("claude-code", `${name} is newer than every tested version (${older.version})`, PROVE);
  const ways = waysOf(newer).filter((way) => waysOf(older).includes(way));
  if (ways.length === 0)
    return note("claude-code", `${name} was not tested, and ${older.version} does not work`, PROVE);
  return ok("claude-code", `${name}: ${list(ways)}, as with ${older.version} and ${newer.version}`);
}

function tested(name: string, row: Conformance): Finding {
  const ways = waysOf(row);
  if (ways.length === 0)
    return problem(
      "claude-code",
      `${name} does not work with Parley: ${row.note ?? "no way back"}`,
      "update Claude Code",
    );
  if (row.note !== undefined) return note("claude-code", `${name}: ${list(ways)} (${row.note})`, "update Claude Code");
  return ok("claude-code", `${name}: ${list(ways)}, tested ${row.date}`);
}

function waysOf({ verified, terminal, hold, resume }: Conformance): string[] {
  return [...(verified && terminal ? ["race"] : []), ...(hold ? ["hold"] : []), ...(resume ? ["resume"] : [])];
}

function list(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
