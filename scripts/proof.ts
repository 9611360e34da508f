// The proof table: what was tried with every agent, made from stored runs (docs/proof/<agent>.jsonl) and from stated
// reasons where there is nothing to try. A cell with neither is a failure.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "../docs/proof");

/** The cases, in the order of the table. What is allowed for good comes after all that need to be asked for leave. */
export const CASES = {
  single: "question: one of several options",
  multi: "question: several options",
  several: "several questions at once",
  own: "own words",
  once: "permission: once",
  deny: "permission: denied, with words",
  always: "permission: always",
  outside: "outside first",
  terminal: "terminal first",
  instant: "same instant",
  esc: "Esc in the terminal",
  daemon: "daemon killed and back",
  hostile: "hostile text",
  killed: "agent killed",
} as const;
export type Case = keyof typeof CASES;

/** The columns: what stands in the table, and what its runs are stored under. */
export const AGENTS = {
  "claude-code": "Claude Code",
  opencode: "opencode",
  codex: "codex",
  pi: "pi",
  copilot: "Copilot CLI",
  gemini: "Gemini CLI",
  qwen: "Qwen Code",
  "acp-claude": "ACP: claude-agent-acp",
  "acp-codex": "ACP: codex-acp",
  "acp-opencode": "ACP: opencode",
  "acp-qwen": "ACP: qwen",
} as const;
export type Agent = keyof typeof AGENTS;

export type Run = {
  case: Case;
  agent: Agent;
  version: string;
  seed: number;
  date: string;
  commit: string;
  /** What the agent asked. */
  asked: string;
  /** What was answered, where. */
  answer: string;
  /** The bytes that the model received, of each question that was asked in the run. */
  received: string[];
  /** What Parley says of it. */
  outcome: string[];
};
/** Why there is nothing to try, or what is known to be wrong. */
export type Gaps = Partial<Record<Agent, Partial<Record<Case, string>>>>;

const MOST = 2000;
/** Enough of it to be compared, and how much there was. */
export const cut = (text: string): string =>
  text.length <= MOST ? text : `${text.slice(0, MOST - 60)} … (${text.length} characters in all)`;

const fileOf = (agent: Agent): string => join(folder, `${agent}.jsonl`);

export function runsOf(agent: Agent): Run[] {
  if (!existsSync(fileOf(agent))) return [];
  return readFileSync(fileOf(agent), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Run);
}

/** The last run of each case, in the order of the table. */
export function storeRun(run: Run): void {
  const all = [...runsOf(run.agent).filter((other) => other.case !== run.case), run];
  const order = Object.keys(CASES);
  const sorted = all.toSorted((a, b) => order.indexOf(a.case) - order.indexOf(b.case));
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(run.agent), sorted.map((each) => `${JSON.stringify(each)}\n`).join(""));
}

/** `lacking`: cells with neither a run nor a reason. */
export function proofTable(gaps: Gaps, runs = runsOf): { text: string; lacking: string[] } {
  const [lacking, reasons]: [string[], string[]] = [[], []];
  const agents = Object.keys(AGENTS) as Agent[];
  const stored = new Map(agents.map((agent) => [agent, runs(agent)]));
  const noteOf = (reason: string): number => {
    if (!reasons.includes(reason)) reasons.push(reason);
    return reasons.indexOf(reason) + 1;
  };
  const cell = (agent: Agent, name: Case): string => {
    const line = stored.get(agent)?.findIndex((run) => run.case === name) ?? -1;
    const [run, gap] = [stored.get(agent)?.[line], gaps[agent]?.[name]];
    if (!run && gap === undefined) lacking.push(`${agent} × ${name}`);
    const link = run && `[${run.seed}](proof/${agent}.jsonl#L${line + 1})`;
    return [link, gap === undefined ? undefined : `(${noteOf(gap)})`].filter(Boolean).join(" ") || "**?**";
  };
  const rows = (Object.keys(CASES) as Case[]).map(
    (name) => `| ${[CASES[name], ...agents.map((agent) => cell(agent, name))].join(" | ")} |`,
  );
  const versions = agents.map((agent) => [...new Set(stored.get(agent)?.map(({ version }) => version))].join(", "));
  const text = [
    `| | ${agents.map((agent) => AGENTS[agent]).join(" | ")} |`,
    `|---|${"---|".repeat(agents.length)}`,
    `| version | ${versions.join(" | ")} |`,
    ...rows,
    "",
    ...reasons.map((reason, i) => `- (${i + 1}) ${reason}`),
  ].join("\n");
  return { text, lacking };
}
