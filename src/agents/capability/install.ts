import type { Listed } from "../listed-packages.ts";
/** How an agent is made to ask through Parley: a change of its settings file. */
export type Install = {
  settingsPath(at: { env: Record<string, string | undefined>; cwd: string; project?: string }): string;
  plan(request: InstallRequest): InstallPlan;
  /** Sessions that run already take it up with their next question; else they must be started again. */
  isLive: boolean;
  /** What its own plugin manager has installed of Parley's. */
  hostPlugins?(at: { env: Record<string, string | undefined>; cwd: string }): Promise<HostPlugin[]>;
  /** Where its own settings list a package of Parley's. */
  listed?(at: { env: Record<string, string | undefined>; cwd: string }): Promise<Listed[]>;
  /** It can be made to ask about calls that its own mode would not ask about. */
  canMustAsk?: boolean;
};
/** `args`: what its program is told to take it out, in `cwd` where that matters. */
export type HostPlugin = { path: string; args: readonly string[]; cwd?: string };
/** `text` undefined: there is no file. `program` is the absolute path that the hooks start, `file` is for messages. */
export type InstallRequest = {
  text: string | undefined;
  program: string;
  hold: boolean;
  /** With a hook before every call too, for what must be asked about; one that is there stays. */
  mustAsk?: boolean;
  remove: boolean;
  file: string;
};
/** `summary`: what it does to the file, in front of its name: `adds 12 hooks to`. */
export type InstallPlan = {
  before: string | undefined;
  after: string | undefined;
  changed: boolean;
  summary: string;
};
