import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ask } from "../../src/core/ask/ask.ts";
import { createReceiver } from "./notify-stage.ts";
import { question } from "../sample.ts";
import { eventually } from "../patience.ts";
import { ANN, createTelegramStage, settings } from "../messengers/telegram-stage.ts";
import { messagedWords } from "../../src/core/words/messaged-words.ts";

type Played = Awaited<ReturnType<typeof createTelegramStage>>;
const ntfy = (url: string) => `[notify.ntfy]\nurl = "${url}/topic"\n`;
const historyOf = async ({ stage }: Played, id: string) =>
  (await stage.store.events({ ask: id, after: 0, limit: 100 }))
    .filter(({ type }) => type === "ask.messaged")
    .map(({ data }) => messagedWords(data as Parameters<typeof messagedWords>[0]));
const questions = ({ service }: Played) => service.shown(ANN).filter(({ text }) => !text.startsWith("Paired."));
const canPress = (tg: Played) => questions(tg).filter(({ buttons }) => buttons.length > 0);

test("[RO7] one messenger, a reminder there, then the next, then no more; over restarts each once", async () => {
  await using phone = createReceiver();
  const more = `ladder = ["telegram", "ntfy"]\nnext_minutes = 10\nremind_minutes = 5\n${ntfy(phone.url)}`;
  await using tg = await createTelegramStage({ more });
  const ask = await tg.stage.ask();
  const shown = await tg.question();
  await eventually(async () => expect(await historyOf(tg, ask.id)).toHaveLength(2));
  await tg.stage.restart();
  await tg.stage.after(4 * 60);
  expect([questions(tg).length, phone.requests.length]).toEqual([1, 0]);
  await tg.stage.after(61);
  const reminder = await eventually(() => {
    const found = questions(tg).find(({ replyTo }) => replyTo === shown.id);
    if (!found) throw new Error("no reminder");
    return found;
  });
  expect(reminder).toMatchObject({ text: "Still waiting: shop: Which database?", buttons: [] });
  await eventually(async () => expect((await historyOf(tg, ask.id)).at(-1)).toBe("reminded Ann over telegram"));
  await tg.stage.restart();
  await tg.stage.after(5 * 60);
  expect((await phone.nth(1)).json["title"]).toBe("shop: Which database?");
  await eventually(async () => expect((await historyOf(tg, ask.id)).at(-1)).toStartWith("told over ntfy"));
  await tg.stage.after(5 * 60);
  // It takes the place of the first.
  expect((await phone.nth(2)).json["sequence_id"]).toBe((await phone.nth(1)).json["sequence_id"]);
  await eventually(async () => expect((await historyOf(tg, ask.id)).at(-1)).toStartWith("reminded over ntfy"));
  await tg.stage.restart();
  await tg.stage.after(86_400);
  expect(await historyOf(tg, ask.id)).toEqual([
    "not told yet over ntfy: telegram comes first",
    "told Ann over telegram",
    "reminded Ann over telegram",
    expect.stringMatching(/^told over ntfy: /),
    expect.stringMatching(/^reminded over ntfy: /),
  ]);
  // A reply to the reminder is one to the question.
  tg.service.write(ANN, "a plain file", { replyTo: reminder.id });
  await tg.says(shown.id, "✓ Answered by Ann (telegram): a plain file");
  await tg.says(reminder.id, "✓ Answered by Ann");
  expect((await phone.nth(3)).path).toEndWith("/clear");
  expect([questions(tg).filter(({ replyTo }) => replyTo !== reminder.replyTo).length, phone.requests.length]).toEqual([
    2, 3,
  ]);
});

test("[RO8] a crowd becomes one message with a count; the others come as it is answered, also after a restart", async () => {
  await using tg = await createTelegramStage({ more: "after_seconds = 30\nburst = 2" });
  const asks: Ask[] = [];
  for (const name of ["one", "two", "three", "four"]) {
    tg.stage.clock.now++;
    asks.push(await tg.stage.ask({ questions: [question(`Which ${name}?`, ["A", "B"])] }));
  }
  // Seen by a look of its own: one that began before the last was asked would count without it.
  await tg.stage.after(0);
  await tg.stage.after(30);
  const shown = await tg.question();
  expect(shown.text).toContain("Which one?");
  expect(shown.text).toEndWith("And 3 more questions wait");
  const [, , , last] = asks;
  await eventually(async () =>
    expect(await historyOf(tg, last?.id ?? "")).toEqual([
      "not told yet over telegram: counted in another message there (and 3 more questions wait)",
    ]),
  );
  await tg.stage.restart();
  await tg.stage.after(600);
  expect(questions(tg)).toHaveLength(1);
  tg.service.press(ANN, shown.id, "A");
  await tg.says(shown.id, "✓ Answered");
  const second = await tg.question();
  expect(second.text).toContain("Which two?");
  expect(second.text).toEndWith("And 2 more questions wait");
  // Answered elsewhere counts as well.
  await tg.stage.settle(asks[1] as Ask);
  await eventually(() =>
    expect(canPress(tg).map(({ text }) => text.match(/Which \w+/)?.[0])).toEqual(["Which three", "Which four"]),
  );
  for (const each of canPress(tg)) tg.service.press(ANN, each.id, "B");
  await eventually(async () => {
    for (const { id } of asks) expect((await tg.stage.store.ask(id))?.outcome?.type).toBe("answered");
    expect(canPress(tg)).toEqual([]);
  });
});

test("[RO9] only when nobody is at the desk: a key in an attached tmux client counts, its absence too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-desk-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    TERM: "xterm-256color",
    TMUX_TMPDIR: folder,
    HOME: folder,
    SHELL: "/bin/sh",
  };
  const run = (...args: string[]) => Bun.spawnSync(["tmux", "-f", "/dev/null", ...args], { env });
  try {
    run("new-session", "-d", "-s", "desk", "sh");
    // Somebody's terminal: `script` gives the client one.
    const client = Bun.spawn(["script", "-qfc", "tmux attach -t desk", "/dev/null"], {
      env,
      stdio: ["pipe", "ignore", "ignore"],
    });
    await eventually(() => expect(run("list-clients").stdout.toString()).toContain("desk"));
    const more = `away_minutes = 5\n[[notify.routes]]\nmessenger = "telegram"\nwhen = "away"`;
    await using tg = await createTelegramStage({ more, env: { ...env } });
    tg.stage.clock.now = Date.now();
    const ask = await tg.stage.ask();
    await eventually(async () =>
      expect(await historyOf(tg, ask.id)).toEqual(["not told yet over telegram: somebody is at the desk (tmux)"]),
    );
    run("detach-client", "-s", "desk");
    await client.exited;
    await eventually(async () => {
      await tg.stage.notifications.tick();
      expect(canPress(tg)).toHaveLength(1);
    });
  } finally {
    run("kill-server");
    rmSync(folder, { recursive: true, force: true });
  }
});

test("[RO10] a key at the desktop counts where it can be asked; a program that fails holds up nobody", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-idle-"));
  const say = (script: string) => writeFileSync(join(folder, "xprintidle"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  try {
    say("echo 1000");
    const env = { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ":9", TMUX_TMPDIR: folder };
    const more = `[[notify.routes]]\nmessenger = "telegram"\nwhen = "away"`;
    await using tg = await createTelegramStage({ more, env });
    const ask = await tg.stage.ask();
    await eventually(async () =>
      expect(await historyOf(tg, ask.id)).toEqual(["not told yet over telegram: somebody is at the desk (desktop)"]),
    );
    say("exit 1");
    await eventually(async () => {
      await tg.stage.notifications.tick();
      expect(canPress(tg)).toHaveLength(1);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("[RO16] under Wayland GNOME is asked; whoever locked the screen is not at the desk, whatever key was the last", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-locked-"));
  const says = (idle: string, active: string) =>
    writeFileSync(
      join(folder, "gdbus"),
      `#!/bin/sh\ncase "$*" in *GetIdletime*) echo "${idle}";; *org.gnome.ScreenSaver.GetActive*) echo "${active}";; *) exit 1;; esac\n`,
      { mode: 0o755 },
    );
  try {
    says("(uint64 1000,)", "(false,)");
    const env = {
      PATH: `${folder}:/usr/bin:/bin`,
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere",
      TMUX_TMPDIR: folder,
    };
    const more = `[[notify.routes]]\nmessenger = "telegram"\nwhen = "away"`;
    await using tg = await createTelegramStage({ more, env });
    const ask = await tg.stage.ask();
    await eventually(async () =>
      expect(await historyOf(tg, ask.id)).toEqual(["not told yet over telegram: somebody is at the desk (desktop)"]),
    );
    says("(uint64 1000,)", "(true,)");
    await eventually(async () => {
      await tg.stage.notifications.tick();
      expect(canPress(tg)).toHaveLength(1);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("[RO11] kinds, projects and stakes: what no route takes there is not sent there", async () => {
  await using phone = createReceiver();
  const routes = `[[notify.routes]]\nmessenger = "ntfy"\nproject = "api"\n[[notify.routes]]\nmessenger = "ntfy"\nstakes = "destructive"\n`;
  await using tg = await createTelegramStage({ more: `${routes}${ntfy(phone.url)}` });
  const plain = await tg.stage.ask();
  await tg.question();
  await tg.stage.ask({ origin: { agent: "claude-code", project: "API" } });
  await tg.stage.ask({ questions: [question("Drop the production database?", ["Drop it", "Keep it"])] });
  const titles = (await phone.first(2)).map(({ json }) => String(json["title"]));
  expect(new Set(titles)).toEqual(new Set(["API: Which database?", "shop: Drop the production database?"]));
  expect((await historyOf(tg, plain.id)).filter((words) => words.includes("ntfy"))).toEqual([]);
});

test("[RO12] a mistake in the routes: nothing leaves the machine until it is mended", async () => {
  await using phone = createReceiver();
  const wrong = `[[notify.routes]]\nmessenger = "ntfy"\nwhen = "sometimes"\n`;
  await using tg = await createTelegramStage({ more: `${wrong}${ntfy(phone.url)}` });
  await tg.stage.ask();
  await tg.stage.notifications.tick();
  expect(questions(tg)).toEqual([]);
  tg.stage.config(settings(tg.service, ntfy(phone.url)));
  await tg.stage.notifications.tick();
  await tg.question();
  expect((await phone.first(1)).map(({ path }) => path)).toEqual(["/"]);
});
