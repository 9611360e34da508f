import { join } from "node:path";
import { plistOf } from "./launchd.ts";
import { unitOf } from "./systemd.ts";

type Env = Record<string, string | undefined>;
/** What starts Parley with the system: a file, and the commands that make it count. */
export type Service = {
  manager: "systemd" | "launchd";
  path: string;
  text: string;
  /** Once the file is there, before the daemon that runs is stopped. */
  prepare: string[][];
  start: string[];
  /** Before the file goes. None has to succeed. */
  stop: string[][];
  /** Succeeds while it runs. */
  isActive: string[];
  log: string;
  note: string;
};
export type Wanted = { program: string; env: Env; keep: Env };

/** Undefined: there is no such thing on this system that Parley knows. */
export function serviceOn(platform: string, { program, env, keep }: Wanted): Service | undefined {
  const home = env["HOME"] ?? "/";
  if (platform === "linux")
    return {
      manager: "systemd",
      path: join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "systemd/user/parley.service"),
      text: unitOf(program, keep),
      prepare: [systemctl("daemon-reload")],
      start: systemctl("enable", "--now", "parley.service"),
      stop: [systemctl("disable", "--now", "parley.service"), systemctl("daemon-reload")],
      isActive: systemctl("is-active", "--quiet", "parley.service"),
      log: "journalctl --user -u parley",
      note: "It starts when you log in. Before that, too: loginctl enable-linger",
    };
  if (platform !== "darwin") return undefined;
  const path = join(home, "Library/LaunchAgents", `${LABEL}.plist`);
  const [log, domain] = [join(home, "Library/Logs/parley.log"), `gui/${process.getuid?.() ?? 0}`];
  return {
    manager: "launchd",
    path,
    text: plistOf({ label: LABEL, program, log, keep }),
    prepare: [],
    start: ["launchctl", "bootstrap", domain, path],
    stop: [["launchctl", "bootout", `${domain}/${LABEL}`]],
    isActive: ["launchctl", "print", `${domain}/${LABEL}`],
    log,
    note: "It starts when you log in.",
  };
}

const LABEL = "parley-inbox";
const systemctl = (...args: string[]) => ["systemctl", "--user", ...args];
