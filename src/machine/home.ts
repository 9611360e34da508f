import { join, resolve } from "node:path";

export type Paths = ReturnType<typeof pathsIn>;

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
