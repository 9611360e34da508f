import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { ERRORS } from "../../src/core/error.ts";
import { CONTRACT, type EndpointName } from "../../src/protocol/contract.ts";
import type { Endpoint } from "../../src/protocol/endpoint.ts";
import { ANSWER, DOORS, open, question, request, type Reply } from "../e2e/api-request.ts";
import { expectSafe, TEXTS, utf8 } from "./corpus.ts";
import { fromSchema } from "./from-schema.ts";
import { oddValue, PATIENCE_MS, runs } from "./fuzz.ts";
import { createTarget, type Target } from "./target.ts";

const names = (Object.keys(CONTRACT) as EndpointName[]).filter((name) => name !== "shutdown");
/** What a request may be told: that it worked, or what is wrong with it; never that the daemon failed. */
const DECENT = new Set([200, ...Object.values(ERRORS).map(({ status }) => status)].filter((status) => status < 500));

let target: Target;
beforeAll(async () => {
  target = await createTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

const tokens = () => target.program.tokens();
const create = async () => {
  const body = { questions: [question()] };
  return String(
    (await request(target.program, "socket", "POST /api/asks", { token: tokens().agent, body })).body["id"],
  );
};

describe.each(names)("%s", (name) => {
  const endpoint: Endpoint = CONTRACT[name];
  const { method, path } = endpoint;
  const part = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: "binary", maxLength: 60 }));
  const body = endpoint.body ? fromSchema(endpoint.body) : oddValue;
  const query = endpoint.query ? fromSchema(endpoint.query) : fc.dictionary(part, part, { maxKeys: 3 });

  test(
    "[HO9] whatever is sent, the answer is a decent one and safe to look at",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...DOORS),
          fc.boolean(),
          part,
          query,
          body,
          async (via, real, odd, asked, sent) => {
            const id = real ? await create() : encodeURIComponent(odd.toWellFormed()) || "x";
            const address = `${path.replace(":id", id)}?${searchOf(asked)}`.slice(0, 8000);
            const response = await open(target.program, via, `${method} ${address}`, {
              token: tokens().human,
              signal: AbortSignal.timeout(PATIENCE_MS),
              ...(method !== "GET" && { body: JSON.stringify(sent) }),
            });
            const text = utf8(await response.arrayBuffer());
            expect(DECENT.has(response.status) ? "decent" : text.slice(0, 500)).toBe("decent");
            expectSafe(text, name);
            if (response.headers.get("content-type")?.startsWith("application/json")) JSON.parse(text);
          },
        ),
        // A valid `wait` is waited for, up to a minute.
        name === "receiveAnswer" ? { ...runs(6), numRuns: 6 } : runs(25),
      );
      await target.stands();
    },
    PATIENCE_MS,
  );
});

describe("mistakes without number", () => {
  const most = (reply: Reply) => JSON.stringify(reply.body).length;
  const settle = async (answers: unknown) =>
    request(target.program, "socket", `POST /api/asks/${await create()}/settle`, {
      token: tokens().human,
      body: { action: "answer", answers },
    });

  test("[HO63] a value whose length cannot be compared is named like any other mistake", async () => {
    const message = { length: { toString: null, valueOf: null } };
    const path = `POST /api/asks/${await create()}/settle`;
    const body = { action: "decline", message };
    const { status } = await request(target.program, "socket", path, { token: tokens().human, body });
    expect(status).toBe(422);
    await target.stands();
  });

  test("[HO10] a reply names the first hundred problems and says how many more there are", async () => {
    const reply = await settle(Array.from({ length: 5000 }, () => 0));
    expect([reply.status, reply.error.problems?.length]).toEqual([422, 101]);
    expect(reply.error.problems?.at(-1)).toEqual({ field: "…", message: "4900 more problems" });
    expect(reply.error.message?.length).toBeLessThanOrEqual(2000);
    expect(most(reply)).toBeLessThan(60_000);
    await target.stands();
  });

  test("[HO10] a name as long as a body is not said back", async () => {
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${i}${"x".repeat(20)}`, 1]));
    for (const extra of [fields, { ["k".repeat(500_000)]: 1 }]) {
      const body = { days: 1, ...extra };
      const reply = await request(target.program, "socket", "POST /api/prune", { token: tokens().human, body });
      expect(reply.status).toBe(422);
      expect(most(reply)).toBeLessThan(60_000);
    }
    await target.stands();
  });

  test("[HO11] a hook that claims to have handed over without end is refused", async () => {
    const ask = await create();
    const handed = Array.from({ length: 5000 }, () => ({ ask, key: "k", channel: "race" }));
    for (const [path, more] of [
      ["/hook/ack", {}],
      ["/hook/release", { reason: "signal" }],
    ] as const) {
      const body = { call: "c", handed, ...more };
      const reply = await request(target.program, "socket", `POST ${path}`, { token: tokens().agent, body });
      expect([path, reply.status]).toEqual([path, 422]);
    }
    await target.stands();
  });
});

test(
  "[HO12] a store full of giant questions is read in bounded pages, and every one of them is found",
  async () => {
    const ids = new Set<string>();
    for (let i = 0; i < 30; i++) {
      const asked = { ...question(), note: "x".repeat(900_000) };
      const body = { questions: [asked], origin: { project: "giants" } };
      const made = await request(target.program, "socket", "POST /api/asks", { token: tokens().agent, body });
      ids.add(String(made.body["id"]));
    }
    const found: string[] = [];
    const human = target.program.client();
    for (let after: string | undefined; ;) {
      const query = { project: "giants", state: "all", limit: 500, ...(after !== undefined && { after }) } as const;
      const { asks, next } = await human.call("listAsks", { query });
      expect(asks.length).toBeLessThan(10);
      found.push(...asks.map(({ id }) => id));
      if (next === undefined) break;
      after = next;
    }
    expect(new Set(found)).toEqual(ids);
    expect(found.length).toBe(ids.size);
    const { events } = await human.call("readLog", { query: { limit: 1000, tail: "true" } });
    expect(JSON.stringify(events).length).toBeLessThan(16 * 1024 * 1024);
    await human.call("settleAsk", { id: found[0] ?? "", body: { action: "answer", answers: ANSWER } });
    await target.stands();
  },
  PATIENCE_MS,
);

function searchOf(query: unknown): string {
  const entries = Object.entries(query ?? {}).slice(0, 10);
  return new URLSearchParams(
    entries.map(([name, value]): [string, string] => [
      name.toWellFormed().slice(0, 500),
      String(typeof value === "object" ? JSON.stringify(value) : value)
        .slice(0, 500)
        .toWellFormed(),
    ]),
  ).toString();
}
