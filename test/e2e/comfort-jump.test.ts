import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { create, store } from "./cli-words.ts";
import { COMMAND, createProgram, holds, type Program } from "./program.ts";

let program: Program;
let server: string;
beforeAll(async () => {
  program = createProgram();
  server = join(program.root, "tmux");
  await program.start();
  tmux("new-session", "-d", "-s", "one", "-x", "80", "-y", "24", "cat");
  tmux("new-session", "-d", "-s", "two", "cat");
});
afterAll(async () => {
  tmux("kill-server");
  await program.dispose();
});
/** A server of its own, without anybody's configuration. */
function tmux(...args: string[]): string {
  const env = { PATH: process.env["PATH"] ?? "", HOME: program.user, LANG: "C.UTF-8", TERM: "xterm-256color" };
  return Bun.spawnSync(["tmux", "-f", "/dev/null", "-S", server, ...args], { env })
    .stdout.toString()
    .trim();
}
const paneOf = (session: string) => tmux("display-message", "-p", "-t", session, "#{pane_id}");
const askIn = (pane: { server: string; id: string }) => create(program, [store], { pane });

test("[CF70] outside of tmux it prints the command that attaches to the pane", async () => {
  const id = paneOf("two");
  const ask = await askIn({ server, id });
  const attach = `tmux -S '${server}' attach -t '${id}'`;
  expect(await program.parley(["jump", ask.id])).toEqual({ code: 0, out: `${attach}\n`, err: "" });
  const { out } = await program.parley(["jump", ask.id.slice(0, 8), "--json"]);
  expect(JSON.parse(out)).toEqual({ pane: { server, id }, switched: false, attach });
  const elsewhere = { TMUX: "/another/server,1,0" };
  expect((await program.parley(["jump", ask.id], { env: elsewhere })).out).toBe(`${attach}\n`);
});

test("[CF71] inside tmux the client of that pane is switched there", async () => {
  const target = paneOf("two");
  const ask = await askIn({ server, id: target });
  const client = Bun.spawn(["tmux", "-S", server, "attach", "-t", "one"], {
    env: { PATH: process.env["PATH"] ?? "", HOME: program.user, LANG: "C.UTF-8", TERM: "xterm-256color" },
    terminal: { cols: 80, rows: 24, data: () => undefined },
  });
  expect(await holds(() => tmux("list-clients", "-F", "#{session_name}") === "one")).toBe(true);
  const words = [...COMMAND, "jump", ask.id].map((word) => `'${word}'`).join(" ");
  tmux("new-window", "-t", "one", "-e", `PARLEY_HOME=${program.home}`, "-e", "PARLEY_PORT=0", words);
  expect(await holds(() => tmux("list-clients", "-F", "#{session_name} #{pane_id}") === `two ${target}`)).toBe(true);
  tmux("detach-client", "-s", "two");
  await client.exited;
});

test("[CF72] where no client can be switched it says how to attach instead", async () => {
  // The window in which somebody jumped closes when that is over.
  expect(await holds(() => tmux("list-windows", "-t", "one", "-F", "#{window_id}").split("\n").length === 1)).toBe(
    true,
  );
  const id = paneOf("one");
  const ask = await askIn({ server, id });
  const env = { TMUX: `${server},1,0`, TMUX_PANE: "%999" };
  const { code, out } = await program.parley(["jump", ask.id], { env });
  expect([code, out]).toEqual([0, `tmux -S '${server}' attach -t '${id}'\n`]);
});

test("[CF73] a pane, a server or an agent without one is said to be gone", async () => {
  for (const [pane, shown] of [
    [{ server, id: "%4711" }, "%4711"],
    [{ server: "/nowhere", id: "%1" }, "%1"],
    [{ server, id: "one" }, "one"],
    [{ server, id: "%1; kill-server" }, "%1; kill-server"],
    [{ server, id: "\u001b[2J%1" }, "%1"],
    [{ server, id: "-h" }, "-h"],
  ] as const) {
    const { id } = await askIn(pane);
    expect(await program.parley(["jump", id])).toEqual({ code: 3, out: "", err: `✗ The tmux pane ${shown} is gone\n` });
  }
  expect(paneOf("one")).toStartWith("%");
  const { id } = await create(program, [store]);
  expect((await program.parley(["jump", id])).err).toBe("✗ Its agent does not run in tmux, as far as Parley knows\n");
  expect((await program.parley(["jump"])).code).toBe(2);
});

test("[CF74] a machine without tmux is told so", async () => {
  const { id } = await askIn({ server, id: paneOf("one") });
  const { code, err } = await program.parley(["jump", id], { env: { PATH: "/nowhere" } });
  expect([code, err]).toEqual([3, "✗ There is no tmux on your PATH\n"]);
});
