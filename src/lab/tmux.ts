import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE_MS, poll } from "./poll.ts";
import { signal, survivors, treeOf, type Process } from "./process-tree.ts";

export type Window = {
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  width?: number;
  height?: number;
};

export type Tmux = {
  socket: string;
  /** How long is waited for the screen when nothing else is said. */
  patienceMs: number;
  /** Opens a window and makes it the one that every other call means. */
  open(window: Window): Promise<void>;
  /** Key names as tmux knows them: `Down`, `Enter`, `Escape`, `C-u`. */
  keys(...names: string[]): Promise<void>;
  type(literal: string): Promise<void>;
  screen(): Promise<string>;
  waitFor(wanted: RegExp | ((screen: string) => boolean), options?: { timeoutMs?: number }): Promise<string>;
  /** Where the window is, as `$TMUX` and `$TMUX_PANE` say it to the program in it. */
  address(): { server: string; id: string; pid: number };
  /** The process that was started, not a shell around it. */
  panePid(): number;
  /** Closes the current window as a person closes a terminal. */
  closeWindow(): Promise<void>;
  /** This server, what runs in its windows, and what that started and left behind. */
  processes(): Process[];
  /** Ends this server only; what does not end with it is killed. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

// Keeps only where the pane is; the `exec`s make the pane's pid the command's pid.
const CLEAN = 'exec env -i TMUX="$TMUX" TMUX_PANE="$TMUX_PANE" "$@"';

// What tmux writes into a window whose program has ended, with remain-on-exit.

/** A tmux server of its own: no configuration, no other sessions, gone with close(). */
export async function createTmux({ patienceMs = PATIENCE_MS } = {}): Promise<Tmux> {
  const dir = await mkdtemp(join(tmpdir(), "parley-tmux-"));
  const socket = join(dir, "socket");
  const path = process.env["PATH"] ?? "/usr/bin:/bin";
  const known = new Map<number, Process>();
  let pane: { id: string; pid: number; server: number } | undefined;

  async function tmux(...args: string[]): Promise<string> {
    const child = Bun.spawn(["tmux", "-S", socket, "-f", "/dev/null", ...args], {
      env: { PATH: path, HOME: dir, TERM: "xterm-256color", LANG: "C.UTF-8" },
      stdin: "ignore",
      stderr: "pipe",
    });
    const [out, problem, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (code !== 0) throw new Error(`tmux ${args[0]} failed: ${problem.trim()}`);
    return out;
  }

  function current() {
    if (!pane) throw new Error("no window is open in this tmux; call open() first");
    return pane;
  }

  /** Children are noted while their parents live: afterwards nothing tells whose they were. */
  function note(): Process[] {
    if (pane) for (const found of treeOf(pane.server)) known.set(found.pid, found);
    return survivors(known.values());
  }

  async function close(): Promise<void> {
    note();
    // The server is gone already when no window was ever opened.
    await tmux("kill-server").catch(() => undefined);
    const ended = () => (survivors(known.values()).length === 0 ? true : undefined);
    await poll(ended, { timeoutMs: 5_000, everyMs: 100, failure: () => "" }).catch(() => undefined);
    for (const { pid } of survivors(known.values())) signal(pid, "SIGKILL");
    await poll(ended, { timeoutMs: patienceMs, everyMs: 100, failure: () => "" }).catch(() => undefined);
    await rm(dir, { recursive: true, force: true });
  }

  /** tmux writes "Pane is dead" on the screen too, but not always when the program ended at once. */
  async function hasEnded(): Promise<boolean> {
    const dead = await tmux("display-message", "-p", "-t", current().id, "#{pane_dead}").catch(() => "1");
    return dead.trim() === "1";
  }

  const screen = () => tmux("capture-pane", "-p", "-t", current().id);

  return {
    socket,
    patienceMs,
    async open({ command, env, cwd, width = 120, height = 50 }) {
      note();
      const settings = ["set", "-g", "exit-empty", "off", ";", "set", "-g", "remain-on-exit", "on", ";"];
      const place = ["-x", String(width), "-y", String(height), "-c", cwd];
      const report = ["-P", "-F", "#{pane_id} #{pane_pid} #{pid}"];
      const program = ["sh", "-c", CLEAN, "sh", ...Object.entries(env).map(([k, v]) => `${k}=${v}`), ...command];
      const session = ["new-session", "-d", ...report, ...place, "--", ...program];
      const created = await tmux("start-server", ";", ...settings, ...session);
      const [id = "", pid, server] = created.trim().split(" ");
      pane = { id, pid: Number(pid), server: Number(server) };
    },
    keys: async (...names) => void (await tmux("send-keys", "-t", current().id, ...names)),
    type: async (literal) => void (await tmux("send-keys", "-t", current().id, "-l", "--", literal)),
    screen,
    async waitFor(wanted, { timeoutMs = patienceMs } = {}) {
      const matches = wanted instanceof RegExp ? (text: string) => wanted.test(text) : wanted;
      let last = "";
      const look = async () => {
        last = await screen();
        if (matches(last)) return last;
        if (!(await hasEnded())) return undefined;
        // It may have shown it last of all.
        last = await screen();
        if (matches(last)) return last;
        throw new Error(`the program in the terminal has ended; it shows:\n${last}`);
      };
      const failure = () => `the terminal did not show ${wanted} within ${timeoutMs} ms; it shows:\n${last}`;
      return poll(look, { timeoutMs, failure });
    },
    address: () => ({ server: socket, id: current().id, pid: current().server }),
    panePid: () => current().pid,
    async closeWindow() {
      note();
      await tmux("kill-pane", "-t", current().id);
    },
    processes: note,
    close,
    [Symbol.asyncDispose]: close,
  };
}
