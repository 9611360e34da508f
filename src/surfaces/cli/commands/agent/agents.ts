import { basename } from "node:path";
import type { Agent } from "../../../../agents/agent.ts";
import { AGENTS, isInstallable, programOf } from "../../../../agents/agents.ts";
import type { Standing } from "../../../../agents/capability/doctor.ts";
import { askTitle } from "../../../../core/ask/title.ts";
import { ParleyError } from "../../../../core/error.ts";
import { agoWords } from "../../../../core/words/time.ts";
import { fit, pad } from "../../../terminal/columns.ts";
import type { Terminal } from "../../../terminal/terminal.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { jsonLine } from "../../json.ts";

type LastQuestion = { id: string; at: number; title: string };
type Row = {
  name: string;
  title: string;
  /** Null: it is not on the PATH. */
  path: string | null;
  version: string | null;
  setUp: boolean;
  standing: Standing | null;
  lastQuestion: LastQuestion | null;
};
const NO_DAEMON = new Set<string>(["daemon_unreachable", "daemon_stopped"]);
const LONGEST_LINE = 240;
const STANDS: Record<Standing, string> = { works: "known to work", fails: "does not work", untried: "not tried" };

export const command = defineCommand({
  about:
    "The agents Parley knows: which of them are installed, in which version, whether that version is known to work, whether it asks through Parley, and what it asked last.",
  options: { json: { description: "as JSON" } },
  async run({ json }, { terminal, client, paths }) {
    // Without a program of its own to look at there is nothing to say: an editor's agent is whatever it starts.
    const looked = await Promise.all(
      AGENTS.filter(({ doctor }) => doctor).map((agent) => look(agent, { terminal, client, paths })),
    );
    const rows = looked.flat();
    if (json) return (terminal.out(jsonLine({ agents: rows })), 0);
    terminal.out(table(rows, terminal));
    for (const hint of hints(rows)) terminal.out(terminal.style.dim(`${hint}\n`));
    return 0;
  },
});

/** One row for each of its programs. */
async function look(
  agent: Agent,
  { terminal, client, paths }: Pick<Context, "terminal" | "client" | "paths">,
): Promise<Row[]> {
  const { env, cwd } = terminal;
  const doctor = await agent.doctor?.();
  const [found, lastQuestion] = await Promise.all([
    doctor?.({ env, cwd, program: paths.program }),
    lastOf(agent.name, client),
  ]);
  const path = programOf(agent, env["PATH"]);
  const installed = found?.installed ?? (path === undefined ? undefined : { path });
  return [installed, ...(found?.also ?? [])].map((each) => ({
    name: agent.name,
    title: agent.title,
    path: each?.path ?? null,
    version: each?.version ?? null,
    setUp: found?.isSetUp ?? false,
    standing: each?.standing ?? null,
    lastQuestion,
  }));
}

/** Null also where nobody can be asked: what is installed is worth knowing without a daemon. */
async function lastOf(agent: string, client: Context["client"]): Promise<LastQuestion | null> {
  try {
    const { asks } = await client.call("listAsks", { query: { agent, state: "all", limit: 1 } });
    const [last] = asks;
    return last ? { id: last.id, at: last.createdAt, title: askTitle(last) } : null;
  } catch (error) {
    if (error instanceof ParleyError && NO_DAEMON.has(error.code)) return null;
    throw error;
  }
}

function table(rows: readonly Row[], { width, style }: Terminal): string {
  const now = Date.now();
  const cells = rows.map((row) => [row.title, row.version ?? "", stateOf(row)] as const);
  const [titles = 0, versions = 0, states = 0] = [0, 1, 2].map((i) =>
    Math.max(...cells.map((cell) => Bun.stringWidth(cell[i as 0 | 1 | 2]))),
  );
  const left = Math.min(width, LONGEST_LINE) - titles - versions - states - 6;
  return rows
    .map((row, i) => {
      const [title = "", version = "", state = ""] = cells[i] ?? [];
      const paint = row.setUp && row.standing === "works" ? style.green : row.path === null ? style.dim : style.yellow;
      const asked = row.lastQuestion
        ? `${agoWords(row.lastQuestion.at, now)}: ${row.lastQuestion.title}`
        : row.setUp
          ? "has not asked yet"
          : "";
      const line = [
        style.bold(pad(title, titles)),
        pad(version, versions),
        paint(pad(state, states)),
        style.dim(fit(asked, Math.max(1, left))),
      ];
      return `${line.join("  ").trimEnd()}\n`;
    })
    .join("");
}

function stateOf({ path, setUp, standing }: Row): string {
  if (path === null) return setUp ? "set up, not on your PATH" : "not installed";
  return [setUp ? "set up" : "not set up", ...(standing === null ? [] : [STANDS[standing]])].join(", ");
}

function hints(rows: readonly Row[]): string[] {
  const isOffered = (name: string) => AGENTS.filter(isInstallable).some((agent) => agent.name === name);
  const waiting = rows.filter(({ path, setUp, name }) => path !== null && !setUp && isOffered(name));
  const untried = rows.filter(({ standing }) => standing === "untried" || standing === "fails");
  return [
    ...new Set(waiting.map(({ name }) => `Set it up: parley setup ${name}`)),
    ...new Set(untried.map(({ name, path }) => `Prove it here: parley doctor --live --agent ${commandOf(name, path)}`)),
  ];
}

/** By its name; one that stands beside another of its kind by that of its program. */
function commandOf(name: string, path: string | null): string {
  const program = basename(path ?? "");
  return AGENTS.some(({ otherPrograms = [] }) => otherPrograms.includes(program)) ? program : name;
}
