import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "bun:test";
import { holds } from "./program.ts";

const TOOLS = {
  Xvfb: "xvfb",
  "dbus-daemon": "dbus",
  dunst: "dunst",
  dunstctl: "dunst",
  "notify-send": "libnotify-bin",
};
const missing = Object.entries(TOOLS).filter(([tool]) => Bun.which(tool) === null);

/**
 * Needs a desktop. Where its tools are missing the test is skipped, and says so; in CI it fails. `elsewhere`: why it is not played
 * here at all.
 */
export function desktopTest(title: string, run: (desktop: Desktop) => Promise<void>, elsewhere?: string): void {
  const why = elsewhere ?? `missing: ${[...new Set(missing.map(([, name]) => name))].join(" ")}`;
  const skip = elsewhere !== undefined || (missing.length > 0 && process.env["CI"] !== "true");
  test.skipIf(skip)(skip ? `${title} (skipped: ${why})` : title, async () => {
    if (missing.length > 0) throw new Error(`this test needs a desktop; ${why}`);
    await using desktop = await startDesktop();
    await run(desktop);
  });
}

export type Shown = { id: number; appname: string; summary: string; body: string };
export type Desktop = {
  env: { DISPLAY: string; DBUS_SESSION_BUS_ADDRESS: string };
  /** How many are on the screen. */
  displayed(): number;
  /** What was on the screen and is gone, newest first. */
  history(): Shown[];
  /** The buttons of what is on the screen; the one named is pressed. */
  press(label: string): Promise<string[]>;
  /** Clicks on what is on the screen. */
  click(): void;
  /** What was said to the notification daemon since, as dbus-monitor shows it. */
  heard(): Promise<{ text(): string }>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A screen, a bus and a real notification daemon, all of their own. */
async function startDesktop(): Promise<Desktop> {
  const root = mkdtempSync(join(tmpdir(), "parley-desktop-"));
  const children: Bun.Subprocess[] = [];
  const start = (command: string[], env: Record<string, string> = {}): Bun.Subprocess<"ignore", "pipe", "ignore"> => {
    const all = { PATH: process.env["PATH"] ?? "", HOME: root, XDG_RUNTIME_DIR: root, ...env };
    const child = Bun.spawn(command, { env: all, stdio: ["ignore", "pipe", "ignore"] });
    children.push(child);
    return child;
  };
  const screen = await firstLine(start(["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"]));
  const bus = await firstLine(
    start(["dbus-daemon", "--session", "--nofork", "--print-address=1", `--address=unix:path=${root}/bus`]),
  );
  const env = { DISPLAY: `:${screen}`, DBUS_SESSION_BUS_ADDRESS: bus };
  // dunst asks this menu which button is meant: it notes what it is offered and takes the wanted one.
  const menu = join(root, "menu");
  writeFileSync(
    menu,
    `#!/bin/sh\ncat >${menu}.new\ngrep "^#$(cat ${menu}.wanted) (" ${menu}.new\nmv ${menu}.new ${menu}.seen\n`,
    {
      mode: 0o700,
    },
  );
  writeFileSync(join(root, "dunstrc"), `[global]\n    dmenu = ${menu}\n[urgency_normal]\n    timeout = 0\n`);
  start(["dunst", "-conf", join(root, "dunstrc")], env);
  const control = (...args: string[]) => {
    const all = { PATH: process.env["PATH"] ?? "", HOME: root, ...env };
    const { exitCode, stdout } = Bun.spawnSync(["dunstctl", ...args], { env: all });
    return exitCode === 0 ? stdout.toString().trim() : undefined;
  };
  if (!(await holds(() => control("count", "displayed") === "0"))) throw new Error("dunst does not start");

  return {
    env,
    displayed: () => Number(control("count", "displayed")),
    history() {
      type Field = { data: string | number };
      const { data } = JSON.parse(control("history") ?? "") as { data: [Record<string, Field>[]] };
      return data[0].map((entry) =>
        Object.fromEntries(Object.entries(entry).map(([name, { data: value }]) => [name, value])),
      ) as unknown as Shown[];
    },
    click: () => void control("action"),
    async heard() {
      const monitor = start(["dbus-monitor", "--address", bus, "interface='org.freedesktop.Notifications'"], env);
      let text = "";
      const reading = (async () => {
        for await (const chunk of monitor.stdout.pipeThrough(new TextDecoderStream())) text += chunk;
      })();
      void reading.catch(() => undefined);
      // It begins with what it is told itself.
      await holds(() => text !== "");
      return { text: () => text };
    },
    async press(label) {
      rmSync(`${menu}.seen`, { force: true });
      writeFileSync(`${menu}.wanted`, label);
      control("context");
      const seen = () => (Bun.file(`${menu}.seen`).size > 0 ? readFileSync(`${menu}.seen`, "utf8") : "");
      await holds(() => seen() !== "");
      return seen()
        .split("\n")
        .flatMap((line) => /^#(.*) \(/.exec(line)?.[1] ?? []);
    },
    async [Symbol.asyncDispose]() {
      for (const child of children.toReversed()) {
        child.kill();
        await child.exited;
      }
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function firstLine(child: Bun.Subprocess<"ignore", "pipe", "ignore">): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  return text.trim();
}
