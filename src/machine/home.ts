import { lstatSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ProcessName } from "./process/process.ts";

// Hooks load this file, and each file more costs every call half a millisecond: it imports nothing of ours.

export type Paths = ReturnType<typeof pathsIn>;

/** How clients find the daemon. It stays after the daemon ended, because the tokens must outlive a restart. */
export type Registration = {
  state: "running" | "ended";
  process: ProcessName;
  instance: string;
  version: string;
  port: number | null;
  socket: string;
  tokens: { agent: string; human: string };
};

const LARGEST_REGISTRATION = 64 * 1024;

/** Where Parley keeps its state: `PARLEY_HOME`, else the XDG state directory. Absolute: the daemon runs elsewhere. */
export function homeDir(env: Record<string, string | undefined>): string {
  if (env["PARLEY_HOME"]) return resolve(env["PARLEY_HOME"]);
  const state = env["XDG_STATE_HOME"] || join(env["HOME"] || "/", ".local", "state");
  return resolve(state, "parley");
}

export function pathsIn(home: string) {
  return {
    home,
    database: join(home, "parley.db"),
    /** What was sent as a notification. */
    ledger: join(home, "notify.db"),
    /** Chats of people who may answer by a messenger. */
    pairs: join(home, "paired-chats.json"),
    /** The key for pushes, and the browsers that take them. */
    devices: join(home, "push-devices.json"),
    /** The hub this machine has joined. */
    hub: join(home, "hub.json"),
    /** What was answered from a shell here through hubs, until its receipt is known. */
    hubAnswers: join(home, "hub-answers"),
    lock: join(home, "daemon.lock"),
    registration: join(home, "daemon.json"),
    log: join(home, "daemon.log"),
    /** Browsers that signed in to the page. */
    browsers: join(home, "browsers.json"),
    /** Panes that are watched for dialogs. */
    panes: join(home, "watched-panes.json"),
    /** Agents' own servers that are watched. */
    servers: join(home, "watched-servers.json"),
    /** Processes that run agents' sessions, as their hooks said. */
    agents: join(home, "agents.json"),
    /** Whether the autopilot is paused. */
    pauses: join(home, "autopilot.json"),
    /** Projects' own settings files that the person trusts. */
    trusted: join(home, "trusted.json"),
    /** What models that decide were told and answered. */
    conversations: join(home, "conversations"),
    /** Empty: programs that decide are started here. */
    brain: join(home, "brain"),
    /** There while the daemon is stopped on purpose: then nobody may start it but a person. */
    stopped: join(home, "stopped"),
    /** Who is starting the daemon just now. */
    starting: join(home, "starting"),
    /** What hooks call; stays the same when Parley itself moves or is updated. */
    program: join(home, "bin", "parley"),
    /** Copies of an installed Parley that launcher and daemon run from. */
    programs: join(home, "programs"),
    socket: socketIn(home),
  };
}

/** Undefined when there is none or it cannot be read: then nothing was ever started here. */
export function readRegistration(paths: Paths): Registration | undefined {
  try {
    if (statSync(paths.registration).size > LARGEST_REGISTRATION) return undefined;
    const found = JSON.parse(readFileSync(paths.registration, "utf8")) as Registration;
    const isWhole = typeof found.tokens.human === "string" && typeof found.tokens.agent === "string";
    return isWhole && typeof found.process.pid === "number" ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Why somebody else may look into this directory, or have put there what lies in it; undefined when it is ours alone. */
export function insecureReason(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return "does not exist";
  if (!stat.isDirectory()) return "is not a directory (a link is not followed)";
  if (process.getuid && stat.uid !== process.getuid()) return `belongs to user ${stat.uid}, not to you`;
  const mode = stat.mode & 0o777;
  if (mode & 0o077) return `has mode 0${mode.toString(8)}: others can read it; run chmod 700 on it`;
  return undefined;
}

/** There while a call that a person changed is on its way; beside the program, which is all that a hook knows. */
export const changedFlag = (program: string): string => `${program}.changed`;
/** There while a session has a correction to hear, so that other prompts cost no process. */
export const correctedFlag = (program: string): string => `${program}.corrected`;

/** The kernel takes at most 104 (macOS) or 108 bytes of socket path; a longer home gets a private place in /tmp. */
function socketIn(home: string): string {
  const path = join(home, "daemon.sock");
  return isShort(path) ? path : join(placeInTmp(home), "daemon.sock");
}

/** All that a task in a sandbox sees of Parley: a home of its own, with a socket that takes hooks and asks. */
export function insideOf(home: string, task: string): string {
  const path = join(home, "inside", task);
  return isShort(join(path, "net", "999.sock")) ? path : join(placeInTmp(home), task);
}

const isShort = (path: string) => Buffer.byteLength(path) < 104;
const placeInTmp = (home: string) => join("/tmp", `parley-${process.getuid?.() ?? 0}-${digest(home)}`);

/** FNV-1a: the same in every runtime, because the daemon and an agent with the embedded tool may not share one. */
function digest(text: string): string {
  const mix = (hash: bigint, byte: number) => BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return Buffer.from(text).reduce(mix, 0xcbf29ce484222325n).toString(16);
}
