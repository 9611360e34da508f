import type { Finding } from "../../core/finding.ts";

/** Looks at what a question of this agent needs on its way to a person and back. Contract: changes nothing. */
export type AgentDoctor = (at: DoctorRequest) => Promise<AgentFindings>;
/** `program`: what the agent should start when it asks. `mustAsk`: what a person wants to be asked about in every mode. */
export type DoctorRequest = {
  env: Record<string, string | undefined>;
  cwd: string;
  program: string;
  mustAsk?: readonly string[];
};
export type AgentFindings = {
  /** The agent itself, and whether it asks through Parley. */
  findings: Finding[];
  /** What in its settings may come between. */
  settings: Finding[];
  isSetUp: boolean;
  /** The program as the shell finds it. */
  installed?: InstalledProgram;
  /** Others of its kind that stand beside it under another name. */
  also?: InstalledProgram[];
};
export type InstalledProgram = { path: string; version?: string; standing?: Standing };
/** What the live check has seen of this very version; untried: it, or one beside it, may work. */
export type Standing = "works" | "fails" | "untried";
