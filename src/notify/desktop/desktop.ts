import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Click } from "../../core/config/desktop.ts";
import type { ProcessName } from "../../machine/process/process.ts";
import { ringBell } from "./bell.ts";
import { type Messenger, type Ref, SendError } from "../messenger.ts";
import type { Note } from "../note.ts";
import { createNotifySend } from "./notify-send.ts";
import { runTool } from "./tool.ts";

export type Env = Record<string, string | undefined>;
type Deps = {
  env: Env;
  platform: NodeJS.Platform;
  /** A button was pressed. */
  pressed: (ask: string, option: number) => void;
  /** The notification itself was. */
  clicked: (note: Note, click: Click) => void;
};
export type Desktop = Messenger & {
  /** Nobody listens to these buttons any more: they go, the notification stays. Answers the reference without them. */
  quieten(ref: Ref, note: Note | undefined): Promise<Ref>;
};

/** Contract: `ref` is `{id, listener?}` for notify-send and empty for the others, which cannot take anything back. */
export function createDesktop({ env, platform, pressed, clicked }: Deps): Desktop {
  const notifySend = createNotifySend({ env, pressed, clicked });
  const has = (tool: string) => Bun.which(tool, { PATH: env["PATH"] ?? "" }) !== null;

  function way(note: Pick<Note, "pane">, bell: boolean): "notify-send" | "osascript" | "bell" | undefined {
    if (platform === "darwin" && has("osascript")) return "osascript";
    if (platform !== "darwin" && has("notify-send") && hasDisplay(env)) return "notify-send";
    return bell && note.pane && has("tmux") ? "bell" : undefined;
  }

  return {
    name: "desktop",
    links: false,
    nameless: true,
    off({ desktop }, note) {
      if (!desktop.enabled) return "off; notify.desktop.enabled is false";
      return way(note, desktop.bell) ? undefined : `off; ${whyNot(platform, has)}`;
    },
    async send(note, _links, { desktop }, signal) {
      switch (way(note, desktop.bell)) {
        case "notify-send":
          return notifySend.show(note.grave ? { ...note, buttons: [] } : note, desktop, signal);
        case "osascript":
          await runTool(["osascript", ...scriptFor(desktop.sound), "parley", note.body, note.title], env, signal);
          return { ref: {}, detail: "shown by osascript" };
        case "bell":
          await ringBell(note.pane, env, signal);
          return { ref: {}, detail: "rang the terminal" };
        case undefined:
          throw new SendError("there is no desktop any more", { again: false });
      }
    },
    async withdraw(ref, _ending, _config, signal) {
      if (typeof ref["id"] === "string") await notifySend.close(refOf(ref), signal);
    },
    async quieten(ref, note) {
      return ref["listener"] && note ? notifySend.quieten(refOf(ref), note) : ref;
    },
  };
}

/** Texts are arguments, never part of the script; the first one ends the options, whatever the others begin with. */
function scriptFor(sound: string): string[] {
  // A file has no name there; and what is in a name, its setting allows.
  const heard = sound === "" || sound.startsWith("/") ? "" : ` sound name "${sound}"`;
  const show = `display notification (item 2 of argv) with title (item 3 of argv)${heard}`;
  return ["-e", "on run argv", "-e", show, "-e", "end run"];
}

/** Without a bus of its own notify-send would start one. */
function hasDisplay(env: Env): boolean {
  const display = env["DISPLAY"] || env["WAYLAND_DISPLAY"];
  const bus = env["DBUS_SESSION_BUS_ADDRESS"] || existsSync(join(env["XDG_RUNTIME_DIR"] || "/nowhere", "bus"));
  return Boolean(display && bus);
}

function whyNot(platform: NodeJS.Platform, has: (tool: string) => boolean): string {
  if (platform === "darwin") return "osascript is not there";
  return has("notify-send") ? "the daemon was started without a display" : "notify-send is not installed";
}

function refOf(ref: Ref): { id: string; listener?: ProcessName } {
  const { id, listener } = ref as { id: string; listener?: ProcessName };
  return { id, ...(listener && { listener }) };
}
