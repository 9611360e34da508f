import { afterEach, beforeEach, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { question } from "./api-request.ts";
import { createReceiver, type Receiver } from "./notify-stage.ts";
import { createProgram, holds, type Program } from "./program.ts";

let program: Program;
let receiver: Receiver;
beforeEach(() => {
  program = createProgram();
  receiver = createReceiver();
});
afterEach(async () => {
  await program.dispose();
  await receiver[Symbol.asyncDispose]();
});

function configure(more = "", where = ""): void {
  const file = join(program.user, ".config/parley/config.toml");
  mkdirSync(dirname(file), { recursive: true });
  const hook = `[notify.webhook]\nurl = "${receiver.url}/hook"\nsecret = "0123456789abcdef"\n`;
  writeFileSync(file, `[notify]\nafter_seconds = 0\n${more}\n${where || hook}`);
}
const ask = (header?: string) =>
  program.client("agent").call("createAsk", { body: { questions: [question(header)], origin: { project: "shop" } } });
type Event = { event: string; ask: { id: string; questions: { header: string; options: { link?: string }[] }[] } };
const events = async (count: number) => (await receiver.first(count)).map(({ json }) => json as unknown as Event);
/** What the daemon has written down about it. */
function stateOf(id: string): unknown {
  using db = new Database(join(program.home, "notify.db"), { readonly: true });
  return db.query<{ state: string }, [string]>("SELECT state FROM sends WHERE ask = ?").get(id)?.state;
}

test("[N1] however the daemon ends, the next one does not tell again", async () => {
  configure();
  await program.start();
  const { id } = await ask("First");
  await events(1);
  expect(await holds(() => stateOf(id) === "sent")).toBe(true);
  await program.kill9();
  await program.start();
  const second = await ask("Second");
  await events(2);
  expect(await holds(() => stateOf(second.id) === "sent")).toBe(true);
  await program.terminate();
  await program.start();
  const third = await ask("Third");
  const headers = (await events(3)).map((event) => event.ask.questions[0]?.header);
  expect(headers).toEqual(["First", "Second", "Third"]);
  expect(await holds(() => stateOf(third.id) === "sent")).toBe(true);
  await program.terminate();
  expect(receiver.requests).toHaveLength(3);
});

test("[N4] an answer in a shell takes the notification back", async () => {
  configure();
  await program.start();
  const { id } = await ask();
  await events(1);
  expect((await program.parley(["answer", id, "2"])).code).toBe(0);
  const [, settled] = await events(2);
  expect(settled).toMatchObject({ event: "settled", ask: { id }, outcome: { type: "answered" } });
});

test("[N9] an answer given with a link reaches the one who asked", async () => {
  configure(`link_base = "http://links.example"\nlink_port = 0`);
  await program.start();
  const { id } = await ask();
  const [asked] = await events(1);
  const path = asked?.ask.questions[0]?.options[1]?.link?.replace("http://links.example", "") ?? "";
  const { links } = await program.client().call("notifyTest", { body: { channel: "ntfy" } });
  const pressed = await fetch(`http://127.0.0.1:${links.port}${path}`, {
    method: "POST",
    headers: { host: "links.example" },
  });
  expect([pressed.status, await pressed.text()]).toEqual([200, "Answered: PostgreSQL\n"]);
  const { outcome } = await program.client("agent").call("receiveAnswer", { id, query: { wait: 10_000 } });
  expect(outcome).toMatchObject({ answers: [{ picks: [1] }], actor: { type: "person", surface: "link" } });
  // The daemon's own port knows nothing of it.
  expect((await fetch(`${program.url()}${path}`, { method: "POST" })).status).toBe(404);
});

test("[WS9] with web.address a tap on an ntfy message opens its question, and its buttons work through the page's own port", async () => {
  configure("", `[notify.ntfy]\nurl = "${receiver.url}/topic"\n[web]\naddress = "https://laptop.example.net"\n`);
  await program.start();
  const { id } = await ask();
  const [message] = (await receiver.first(1)).map(
    ({ json }) => json as { click?: string; actions?: { url: string }[] },
  );
  expect(message?.click).toBe(`https://laptop.example.net/#/ask/${id}`);
  const path = message?.actions?.[1]?.url.replace("https://laptop.example.net", "") ?? "";
  expect(path).toStartWith("/act/");
  const press = (method: string, headers: Record<string, string>) =>
    fetch(`${program.url()}${path}`, { method, headers });
  expect((await press("POST", { host: "elsewhere.example" })).status).toBe(403);
  // A page that shows the message, such as ntfy's own, is another origin.
  const named = { host: "laptop.example.net", origin: "https://ntfy.example", accept: "text/html" };
  expect(await (await press("GET", named)).text()).toContain("Answer: PostgreSQL");
  expect((await press("POST", named)).status).toBe(200);
  const { outcome } = await program.client("agent").call("receiveAnswer", { id, query: { wait: 10_000 } });
  expect(outcome).toMatchObject({ answers: [{ picks: [1] }], actor: { type: "person", surface: "link" } });
  const { out } = await program.parley(["notify", "test", "--channel", "ntfy"]);
  expect(out).toContain(
    `Links: https://laptop.example.net, served on 127.0.0.1, port ${new URL(program.url()).port}\n`,
  );
});

test("[N13] notify test says what happened on each channel", async () => {
  configure(`link_base = "http://links.example"\nlink_port = 0\nenabled = false`);
  await program.start();
  const all = await program.parley(["notify", "test"]);
  const { port } = (await program.client().call("notifyTest", { body: { channel: "ntfy" } })).links;
  const { host } = new URL(receiver.url);
  expect([all.code, all.err]).toEqual([0, ""]);
  expect(all.out.split("\n").slice(1)).toEqual([
    "– ntfy: off; set notify.ntfy.url to your topic",
    `✓ webhook: posted to ${host}`,
    "– telegram: off; set notify.telegram.token_file to the file with your bot's token",
    "– slack: off; set notify.slack.channel, bot_token_file and app_token_file",
    "– push: off; no phone takes pushes: parley phone",
    `Links: http://links.example, served on 127.0.0.1, port ${port}`,
    "! notify.enabled is false: you are not notified about questions",
    "",
  ]);
  expect(all.out).toStartWith("– desktop: off; ");
  expect(receiver.requests.map(({ json }) => json["event"])).toEqual(["test"]);
  receiver.statuses.push(500);
  const failed = await program.parley(["notify", "test", "--channel", "webhook"]);
  expect(failed).toMatchObject({ code: 1, out: expect.stringContaining(`✗ webhook: ${host} answered 500\n`) });
  expect((await program.parley(["notify", "test", "--channel", "ntfy"])).code).toBe(1);
  const { channels } = JSON.parse((await program.parley(["notify", "test", "--json"])).out) as { channels: object[] };
  expect(channels).toHaveLength(6);
});

test("[N13] a wrong call is told how it goes", async () => {
  const unknown = await program.parley(["notify", "test", "--channel", "mail"]);
  expect(unknown).toMatchObject({
    code: 2,
    err: `✗ Expected one of desktop, ntfy, webhook, telegram, slack, push, not "mail"\n`,
  });
  const nothing = await program.parley(["notify"]);
  expect(nothing).toMatchObject({
    code: 2,
    err: "✗ Say what to do: parley notify test, or: parley notify pair telegram\n",
  });
});
