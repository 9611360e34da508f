import type { Click } from "../../core/config/desktop.ts";
import type { Log } from "../../machine/log.ts";
import { SendError } from "../messenger.ts";
import type { Note } from "../note.ts";
import { runTool, toolEnv } from "./tool.ts";

type Env = Record<string, string | undefined>;
type Deps = {
  env: Env;
  /** The page at what it is about, signed in once; undefined: there is none. */
  pageAt: (note: Note) => string | undefined;
  log: Log;
};

/** A tmux that does not answer keeps nobody from the page. */
const PATIENCE_MS = 30_000;
const OPENERS = ["xdg-open", "open", "wslview"];
/** What a desktop's opener needs to know besides, to find the person's browser. */
const OPENER_ENV = new Set([
  "BROWSER",
  "DESKTOP_SESSION",
  "KDE_FULL_SESSION",
  "KDE_SESSION_VERSION",
  "LANG",
  "WSL_DISTRO_NAME",
]);

/**
 * Brings the person to where a notification is from: the agent's pane, in the tmux client that they used last, or the
 * question in the page. Contract: never throws; what did not work is a line in the log.
 */
export function createGoTo({ env, pageAt, log }: Deps) {
  const run = (...command: string[]) => runTool(command, env, AbortSignal.timeout(PATIENCE_MS));

  /** False: nobody looks at that tmux, or the pane is gone. */
  async function toPane({ pane }: Note): Promise<boolean> {
    // The id comes from an agent's environment; only tmux's own form of it reaches tmux.
    if (!pane || !/^%\d+$/.test(pane.id)) return false;
    const tmux = (...command: string[]) => run("tmux", "-S", pane.server, ...command).catch(() => "");
    const session = await tmux("display-message", "-p", "-t", pane.id, "#{session_id}");
    const clients = clientsIn(
      await tmux("list-clients", "-F", "#{client_activity} #{session_id} #{client_control_mode} #{client_name}"),
    );
    // Who looks at that session already stays in theirs.
    const own = clients.filter((client) => client.session === session);
    const [client] = (own.length > 0 ? own : clients).toSorted((a, b) => b.at - a.at);
    if (!client) return false;
    const said = await run("tmux", "-S", pane.server, "switch-client", "-c", client.name, "-t", pane.id).catch(
      (): undefined => undefined,
    );
    return said !== undefined;
  }

  function toPage(note: Note): void {
    const { ask } = note;
    const address = pageAt(note);
    const opener = OPENERS.find((name) => Bun.which(name, { PATH: env["PATH"] ?? "" }) !== null);
    if (address === undefined) throw new SendError("there is no page", { again: false });
    if (opener === undefined) throw new SendError("no browser can be opened from here", { again: false });
    const names = Object.keys(env).filter((name) => OPENER_ENV.has(name) || name.startsWith("XDG_"));
    const more = Object.fromEntries(names.map((name) => [name, env[name]]));
    // It may be the browser itself, and stay for days: nothing of it is waited for or read.
    const { exited } = Bun.spawn([opener, address], {
      env: { ...more, ...toolEnv(env) },
      stdio: ["ignore", "ignore", "ignore"],
      detached: true,
    });
    void exited.then((code) => code !== 0 && log("warn", "a click led nowhere", { ask, error: `${opener}: ${code}` }));
  }

  return async (note: Note, click: Click): Promise<void> => {
    try {
      if (click === "pane" && (await toPane(note))) return;
      if (click !== "nothing") toPage(note);
    } catch (error) {
      const words = error instanceof SendError ? error.message : "internal";
      log("warn", "a click led nowhere", { ask: note.ask, error: words });
    }
  };
}

/** One that is a program of somebody's (control mode) shows nobody anything. */
function clientsIn(lines: string): { at: number; session: string; name: string }[] {
  return lines.split("\n").flatMap((line) => {
    const [, at, session = "", control, name = ""] = /^(\d+) (\$\d+) ([01]?) (.+)$/.exec(line) ?? [];
    return at === undefined || control === "1" ? [] : [{ at: Number(at), session, name }];
  });
}
