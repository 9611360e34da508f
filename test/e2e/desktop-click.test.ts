import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Config } from "../../src/core/config/config.ts";
import { eventually } from "../patience.ts";
import { question } from "./api-request.ts";
import { desktopTest } from "./notify-desktop.ts";
import { createProgram, holds, type Program } from "./program.ts";

let program: Program;
let servers: string[];
beforeEach(() => {
  program = createProgram();
  servers = [];
  configure("");
});
afterEach(async () => {
  for (const server of servers) tmux(server, "kill-server");
  await program.dispose();
});

function configure(desktop: string): void {
  const file = join(program.user, ".config/parley/config.toml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `[notify]\nafter_seconds = 0\n[notify.desktop]\n${desktop}\n`);
}

function tmux(server: string, ...args: string[]): string {
  const env = { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" };
  const { stdout } = Bun.spawnSync(["tmux", "-S", server, "-f", "/dev/null", ...args], { env });
  return stdout.toString().trim();
}

/** A tmux with an agent's pane in one session; `attach`: somebody looks at another one. */
function withTmux() {
  const [inner, outer] = [join(program.root, "inner"), join(program.root, "outer")];
  servers.push(outer, inner);
  tmux(inner, "new-session", "-d", "-s", "mine", "-x", "80", "-y", "24", "cat");
  tmux(inner, "new-session", "-d", "-s", "agents", "-x", "80", "-y", "24", "cat");
  tmux(inner, "new-window", "-t", "agents", "cat");
  const id = tmux(inner, "split-window", "-t", "agents", "-P", "-F", "#{pane_id}", "cat");
  tmux(inner, "select-window", "-t", "agents:0");
  const seen = () => tmux(inner, "list-clients", "-F", "#{pane_id} #{session_name}");
  async function attach(): Promise<void> {
    tmux(outer, "new-session", "-d", "-x", "80", "-y", "24", `tmux -S ${inner} attach -t mine`);
    await eventually(() => expect(seen()).toEndWith(" mine"));
  }
  return { pane: { server: inner, id }, seen, attach };
}

/** What opens addresses on this desktop notes them. */
function opener(): { env: { PATH: string }; opened: () => string } {
  const bin = join(program.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s\\n' "$@" >>"${bin}/opened"\n`);
  chmodSync(join(bin, "xdg-open"), 0o700);
  const opened = () => (existsSync(join(bin, "opened")) ? readFileSync(join(bin, "opened"), "utf8") : "");
  return { env: { PATH: `${bin}:${process.env["PATH"]}` }, opened };
}

const ask = (origin: object = {}) =>
  program.client("agent").call("createAsk", {
    body: { questions: [question("Store", { multiSelect: true })], origin: { project: "shop", ...origin } },
  });

desktopTest(
  "[DK1] a click goes to the agent's pane, in the tmux client that is attached; the question waits on, and its end takes nothing else away",
  async (desktop) => {
    const { pane, seen, attach } = withTmux();
    await attach();
    const { env, opened } = opener();
    await program.start({ ...desktop.env, ...env });
    const { id } = await ask({ pane });
    expect(await holds(() => desktop.displayed() === 1)).toBe(true);
    desktop.click();
    await eventually(() => expect(seen()).toBe(`${pane.id} agents`));
    expect((await program.client().call("getAsk", { id })).outcome).toBeUndefined();
    expect((await program.parley(["answer", id, "1"])).code).toBe(0);
    // Another that nobody clicks is taken back as ever.
    const { id: next } = await ask({ pane });
    expect(await holds(() => desktop.displayed() === 1)).toBe(true);
    await program.parley(["answer", next, "1"]);
    expect(await holds(() => desktop.displayed() === 0)).toBe(true);
    expect(opened()).toBe("");
  },
);

desktopTest(
  "[DK2] where nobody looks at that tmux, and where its person wants it so, the question is opened in the page, signed in",
  async (desktop) => {
    const { pane, seen, attach } = withTmux();
    const { env, opened } = opener();
    await program.start({ ...desktop.env, ...env });
    const { id } = await ask({ pane });
    expect(await holds(() => desktop.displayed() === 1)).toBe(true);
    desktop.click();
    await eventually(() => expect(opened()).toMatch(new RegExp(`^http://127.0.0.1:\\d+/#code=[\\w-]+&ask=${id}\n$`)));
    const [, origin = "", code = ""] = /^(http:.*)\/#code=([\w-]+)&/.exec(opened()) ?? [];
    const signIn = () =>
      fetch(`${origin}/page/enter`, {
        method: "POST",
        headers: { "content-type": "application/json", origin },
        body: JSON.stringify({ code }),
      });
    expect([(await signIn()).ok, (await signIn()).ok]).toEqual([true, false]);
    expect(seen()).toBe("");
    await program.parley(["answer", id, "1"]);
    await attach();
    configure(`click = "page"`);
    const { id: next } = await ask({ pane });
    expect(await holds(() => desktop.displayed() === 1)).toBe(true);
    desktop.click();
    await eventually(() => expect(opened()).toEndWith(`&ask=${next}\n`));
    expect(seen()).toEndWith(" mine");
  },
);

desktopTest("[DK3] a question has the sound of its person's choice; without one it is silent", async (desktop) => {
  await program.start(desktop.env);
  const bus = await desktop.heard();
  const { id } = await ask();
  await eventually(() => expect(bus.text()).toContain("member=Notify"));
  await program.parley(["answer", id, "1"]);
  expect(await holds(() => desktop.displayed() === 0)).toBe(true);
  expect(bus.text()).not.toContain("sound-");
  configure(`sound = "message-new-instant"`);
  await ask();
  await eventually(() => expect(bus.text()).toMatch(/"sound-name"\s+variant\s+string "message-new-instant"/));
});

test("[DK4] a sound is a name or a file; what could be anything else is refused", () => {
  const takes = (sound: unknown) => Config.safeParse({ notify: { desktop: { sound } } }).success;
  expect(["", "message-new-instant", "Ping", "/home/ann/ding dong.oga"].map(takes)).toEqual([true, true, true, true]);
  expect([`x" & (do shell script "id")`, "a:b", "/a:b", "/a\nb", 3, "../x/y"].map(takes)).toEqual(Array(6).fill(false));
});
