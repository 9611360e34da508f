import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Ask, Kind } from "../../src/core/ask/ask.ts";
import { createInbox, type Inbox } from "../../src/inbox/inbox.ts";
import type { DigestSince } from "../../src/notify/digest-notes.ts";
import { createNotifications, type Notifications } from "../../src/notify/notifications.ts";
import { createConfigFiles } from "../../src/machine/settings/config-file.ts";
import { openLedger } from "../../src/store/sqlite/ledger.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import type { Store } from "../../src/store/store.ts";
import { database } from "../sample.ts";

export type Received = { method: string; path: string; headers: Headers; text: string; json: Json };
type Json = Record<string, unknown>;
export type Receiver = {
  url: string;
  requests: Received[];
  /** The first so many requests, once they are there. */
  first(count: number): Promise<Received[]>;
  nth(count: number): Promise<Received>;
  /** What the next requests are answered with, in order; afterwards 200. */
  statuses: number[];
  /** Seconds in the header of that name, with each 429. */
  retryAfter?: number;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A server of the person's: takes everything and keeps it. */
export function createReceiver(): Receiver {
  const requests: Received[] = [];
  const statuses: number[] = [];
  const waiting = new Set<() => void>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const text = await request.text();
      const { pathname } = new URL(request.url);
      const json = text === "" ? {} : (JSON.parse(text) as Json);
      requests.push({ method: request.method, path: pathname, headers: request.headers, text, json });
      for (const look of waiting) look();
      const status = statuses.shift() ?? 200;
      return new Response("{}", {
        status,
        headers: {
          ...(status === 302 && { location: "http://127.0.0.1:1/elsewhere" }),
          ...(status === 429 && receiver.retryAfter !== undefined && { "retry-after": `${receiver.retryAfter}` }),
        },
      });
    },
  });
  async function first(count: number): Promise<Received[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => requests.length >= count && resolve();
    waiting.add(look);
    look();
    await promise.finally(() => waiting.delete(look));
    return requests.slice(0, count);
  }

  const receiver: Receiver = {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    statuses,
    first,
    nth: async (count) => (await first(count))[count - 1] as Received,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return receiver;
}

export type Stage = {
  home: string;
  store: Store;
  inbox: Inbox;
  notifications: Notifications;
  /** Lines of the log. */
  logged: { level: string; message: string; fields: Json }[];
  clock: { now: number };
  config(text: string): void;
  ask(more?: Partial<Pick<Ask, "questions" | "origin">> & { kind?: Kind }): Promise<Ask>;
  settle(ask: Ask): Promise<Ask>;
  /** Lets so many seconds pass, then looks. */
  after(seconds: number): Promise<void>;
  restart(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Notifications with a real store and real files, and a clock in the test's hand. */
type Wanted = {
  env?: Record<string, string>;
  browsers?: () => { id: string; name: string }[];
  digest?: DigestSince;
};
export function createStage({ env = {}, browsers = () => [], digest = async () => [] }: Wanted = {}): Stage {
  const home = mkdtempSync(join(tmpdir(), "parley-notify-"));
  const file = join(home, "config/parley/config.toml");
  mkdirSync(dirname(file), { recursive: true });
  const clock = { now: new Date(2026, 5, 15, 12, 0).getTime() };
  const now = () => clock.now;
  const logged: Stage["logged"] = [];
  let store = openSqlite(join(home, "parley.db"));
  let parts = build();

  function build() {
    const inbox = createInbox({ store, now });
    const config = createConfigFiles({ env: { XDG_CONFIG_HOME: join(home, "config") }, cwd: home });
    const ledger = openLedger(join(home, "notify.db"));
    const log = (level: string, message: string, fields: Json = {}) => void logged.push({ level, message, fields });
    const pairsFile = join(home, "paired-chats.json");
    const files = { pairsFile, devicesFile: join(home, "push-devices.json") };
    const page = {
      address: () => "",
      port: () => null,
      browsers: () => ({ list: browsers, code: () => ({ code: "" }) }),
    };
    return {
      inbox,
      notifications: createNotifications({ store, inbox, config, ledger, ...files, env, digest, page, now, log }),
    };
  }

  async function end(): Promise<void> {
    await parts.notifications.stop();
    await store.close();
  }

  return {
    home,
    get store() {
      return store;
    },
    get inbox() {
      return parts.inbox;
    },
    get notifications() {
      return parts.notifications;
    },
    logged,
    clock,
    config: (text) => writeFileSync(file, text),
    ask({ kind = "question", questions = [database], origin = { agent: "claude-code", project: "shop" } } = {}) {
      return parts.inbox.create({ kind, questions, origin, key: "k", channel: "race" });
    },
    settle: ({ id }) =>
      parts.inbox.settle(id, { action: "answer", answers: [{ picks: [0] }] }, { type: "person", surface: "cli" }),
    after(seconds) {
      clock.now += seconds * 1000;
      return parts.notifications.tick();
    },
    async restart() {
      await end();
      store = openSqlite(join(home, "parley.db"));
      parts = build();
    },
    async [Symbol.asyncDispose]() {
      await end();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
