import type { Notify } from "../../core/config/config.ts";
import type { Click } from "../../core/config/desktop.ts";
import { createLineCutter } from "../../machine/file/lines.ts";
import { isAlive, nameProcess, type ProcessName } from "../../machine/process/process.ts";
import { type Ref, SendError } from "../messenger.ts";
import type { Note } from "../note.ts";
import { runTool, toolEnv } from "./tool.ts";

type Env = Record<string, string | undefined>;
type Shown = { id: string; listener?: ProcessName };
type Deps = { env: Env; pressed: (ask: string, option: number) => void; clicked: (note: Note, click: Click) => void };
type Settings = Pick<Notify["desktop"], "click" | "sound">;
/** Each notification with buttons costs a process for as long as it is on the screen. */
const MOST_LISTENERS = 20;
const MOST_BUTTONS = 4;
const TOOL_MS = 5000;

/** Notifications through notify-send; with buttons, or a click that leads somewhere, it stays and prints which it was (0.8.1). */
export function createNotifySend({ env, pressed, clicked }: Deps) {
  let listening = 0;
  let known: Promise<boolean> | undefined;
  const path = (tool: string) => Bun.which(tool, { PATH: env["PATH"] ?? "" });

  /** One look is enough where it said something; where it failed, or was ended before, the next one looks again. */
  async function canListen(signal: AbortSignal): Promise<boolean> {
    known ??= runTool(["notify-send", "--help"], env, signal).then(
      (help) => help.includes("--action") && help.includes("--print-id") && path("stdbuf") !== null,
    );
    return known.catch(() => {
      known = undefined;
      return false;
    });
  }

  async function show(note: Note, settings: Settings, signal: AbortSignal): Promise<{ ref: Ref; detail: string }> {
    const actions = actionsOf(note, settings);
    if (actions.length > 0 && listening < MOST_LISTENERS && (await canListen(signal)))
      return showAndListen(note, actions, settings);
    const id = await runTool(["notify-send", "--print-id", ...soundOf(note, settings), ...textOf(note)], env, signal);
    return { ref: { id }, detail: "shown by notify-send" };
  }

  async function showAndListen(
    note: Note,
    actions: string[],
    settings: Settings,
  ): Promise<{ ref: Ref; detail: string }> {
    // To a pipe it prints the id only at its end, unless stdbuf makes it a line at a time.
    const command = [
      "stdbuf",
      "-oL",
      "notify-send",
      "--print-id",
      ...actions,
      ...soundOf(note, settings),
      ...textOf(note),
    ];
    const child = Bun.spawn(command, { env: toolEnv(env), stdio: ["ignore", "pipe", "ignore"] });
    listening++;
    const lines = linesOf(child.stdout);
    const { value: id } = await within(TOOL_MS, lines.next(), () => child.kill());
    void listen(note, settings, lines).finally(() => listening--);
    if (!id) throw new SendError("notify-send showed nothing", { again: true });
    const listener = nameProcess(child.pid);
    return { ref: { id, listener }, detail: "shown by notify-send" };
  }

  async function listen(note: Note, { click }: Settings, lines: AsyncGenerator<string, undefined>): Promise<void> {
    const { value } = await lines.next();
    const button = note.buttons.find(({ option }) => String(option) === value);
    if (button) pressed(note.ask, button.option);
    else if (value === CLICKED) clicked(note, click);
  }

  return {
    show,
    /** On SIGINT a listening one takes its notification back itself. One that is gone from the screen already is no error. */
    async close({ id, listener }: Shown, signal: AbortSignal): Promise<void> {
      if (listener && isAlive(listener)) {
        process.kill(listener.pid, "SIGINT");
        return;
      }
      if (path("gdbus") !== null) await runTool([...CLOSE, id], env, signal).catch(() => undefined);
      else await runTool(["notify-send", `--replace-id=${id}`, "--expire-time=1", "Settled"], env, signal);
    },
    async quieten({ id, listener }: Shown, note: Note): Promise<Ref> {
      if (!listener || !isAlive(listener)) return { id };
      process.kill(listener.pid, "SIGTERM");
      const command = ["notify-send", `--replace-id=${id}`, ...textOf(note)];
      await runTool(command, env, AbortSignal.timeout(TOOL_MS)).catch(() => undefined);
      return { id };
    },
  };
}

/** What every desktop calls a click on the notification itself. One that knows no actions shows it without. */
const CLICKED = "default";

function actionsOf({ buttons, pane, kind, digest }: Note, { click }: Settings): string[] {
  const pressable = buttons.slice(0, MOST_BUTTONS).map(({ option, label }) => `--action=${option}=${label}`);
  if (click === "nothing" || kind === "test") return pressable;
  const words = click === "pane" && pane ? "Go to the agent" : digest ? "Open it" : "Open the question";
  return [`--action=${CLICKED}=${words}`, ...pressable];
}

/** Of what waits for a person; other news is silent. */
function soundOf({ mismatch, digest }: Note, { sound }: Settings): string[] {
  if (sound === "" || mismatch || digest) return [];
  return [sound.startsWith("/") ? `--hint=string:sound-file:${sound}` : `--hint=string:sound-name:${sound}`];
}

const CLOSE = [
  "gdbus",
  "call",
  "--session",
  "--dest=org.freedesktop.Notifications",
  "--object-path=/org/freedesktop/Notifications",
  "--method=org.freedesktop.Notifications.CloseNotification",
];

/** notify-send reads backslashes in the body as C does, and desktops read it as HTML. */
function textOf({ title, body }: Note): string[] {
  const escaped = body
    .replaceAll("\\", "\\\\")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
  return ["--app-name=Parley", "--", title, escaped];
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const found: string[] = [];
  const cutter = createLineCutter((line) => found.push(line.toString("utf8")));
  for await (const chunk of stream) {
    cutter.write(Buffer.from(chunk));
    yield* found.splice(0);
  }
  cutter.end();
  yield* found;
}

async function within<T>(ms: number, work: Promise<T>, late: () => void): Promise<T> {
  const timer = setTimeout(late, ms);
  return work.finally(() => clearTimeout(timer));
}
