import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fewOf } from "../cases.ts";
import { createPushService, type PushService } from "../messengers/push-service.ts";
import { eventually } from "../patience.ts";
import { question } from "./api-request.ts";
import { mismatchAfter } from "./mismatch-stage.ts";
import { createProgram, type Program } from "./program.ts";

let program: Program;
let service: PushService;
let phone: ReturnType<PushService["subscribe"]>;
let headers: Record<string, string>;
const write = (more = "") => {
  const file = join(program.user, ".config/parley/config.toml");
  mkdirSync(dirname(file), { recursive: true });
  const push = "[notify.push]\ntext = true\nprivate_services = true\n";
  writeFileSync(file, `[notify]\nafter_seconds = 0\n${more}\n[notify.desktop]\nenabled = false\n${push}`);
};
beforeEach(async () => {
  program = createProgram();
  service = await createPushService();
  write();
  await program.start();
  const { port } = new URL(program.url());
  const made = await program.parley(["phone", `http://localhost:${port}`, "--name", "Pixel", "--json"]);
  const code = (JSON.parse(made.out) as { code: string }).code;
  const entered = await fetch(`${program.url()}/page/enter`, { method: "POST", body: JSON.stringify({ code }) });
  const { key } = (await entered.json()) as { key: string };
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  headers = { cookie, "x-parley-page": key, "content-type": "application/json" };
  phone = service.subscribe(String((await api("GET", "/api/push"))["key"]));
  await api("POST", "/api/push", { subscription: phone.subscription });
});
afterEach(async () => {
  const log = readFileSync(program.paths.log, "utf8");
  await program.dispose();
  await service[Symbol.asyncDispose]();
  for (const secret of [phone.subscription.endpoint, phone.subscription.auth]) expect(log).not.toContain(secret);
});

async function api(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const given = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  return (await (await fetch(`${program.url()}${path}`, given)).json()) as Record<string, unknown>;
}
const ask = () =>
  program.client("agent").call("createAsk", { body: { questions: [question()], origin: { project: "shop" } } });
const first = () =>
  eventually(() => {
    const [shown] = phone.shown();
    if (!shown) throw new Error("nothing is shown");
    return shown;
  });
/** Its worker says so; undefined: the daemon died over it. */
const press = async (option: number) => {
  const { message } = await first();
  return api("POST", "/api/push/reply", { message, option }).catch(() => undefined);
};

/** The daemon dies in the moment in which the service hears this; `done`: the service did it all the same. */
function killAt(type: "ask" | "close", done: boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  service.whenCalled(async (payload) => {
    if (payload.type !== type || isOver) return undefined;
    isOver = true;
    await program.kill9();
    resolve();
    return done ? undefined : "cut-before";
  });
  return promise;
}

test.each(
  fewOf(
    [
      ["ask", true],
      ["ask", false],
      ["close", true],
      ["close", false],
    ] as const,
    (_one, place) => place === 0,
  ),
)("[RE10] killed at a push of type %s (done: %p): it is shown once, counts once, and goes", async (type, done) => {
  const killed = killAt(type, done);
  const { id } = await ask();
  if (type === "close") await press(1);
  await killed;
  await program.start();
  if (type === "ask") {
    // In its own place: what the phone shows is one, and a press on either is the same.
    await eventually(() => expect(phone.received.filter((each) => each.type === "ask")).toHaveLength(done ? 2 : 1));
    expect(new Set(phone.received.map(({ tag, message }) => `${tag} ${message}`)).size).toBe(1);
    expect(phone.shown()).toHaveLength(1);
    expect(await press(1)).toMatchObject({ state: "answered" });
  }
  await eventually(() => expect(phone.shown()).toEqual([]));
  const { events } = await program.client().call("readLog", { query: { ask: id, limit: 100 } });
  expect(events.filter((event) => event.type === "ask.settled")).toHaveLength(1);
  expect((await program.client().call("getAsk", { id })).outcome).toMatchObject({
    answers: [{ picks: [1] }],
    actor: { surface: "push", name: "Pixel" },
  });
});

test("[RE11] killed when the service had it, and settled before it could be sent again: it goes; a mismatch is told there", async () => {
  const killed = killAt("ask", true);
  const { id } = await ask();
  await killed;
  write("enabled = false");
  await program.start();
  expect(phone.shown()).toHaveLength(1);
  expect((await program.parley(["answer", id, "1"])).code).toBe(0);
  await eventually(() => expect(phone.shown()).toEqual([]));
  write();
  const { id: other } = await mismatchAfter(program, () => press(0));
  // The end of the question is told there too, before it or after.
  const told = expect.stringContaining("Claude Code received something else");
  await eventually(() => expect(phone.received).toContainEqual(expect.objectContaining({ body: told })));
  await eventually(async () =>
    expect((await program.client().call("getAsk", { id: other })).told).toMatchObject({ to: "push" }),
  );
  await eventually(async () =>
    expect((await program.parley(["why", other])).out).toContain("told Pixel over push: ⚠ Claude Code received"),
  );
});
