// The services of the messengers on loopback, as the tests play them, each with somebody who was paired.
import { eventually } from "../test/patience.ts";
import { createPushService, type Played as Pushed } from "../test/messengers/push-service.ts";
import { APP_TOKEN, BOT_TOKEN, CHANNEL, createSlackService } from "../test/messengers/slack-service.ts";
import { ANN, submitCode } from "../test/messengers/slack-stage.ts";
import { createTelegramService, TOKEN } from "../test/messengers/telegram-service.ts";
import { PAGE_KEY } from "../src/protocol/page-key.ts";
import type { Stage } from "./stage.ts";

export type Played = {
  /** Its part of the settings. */
  settings: string;
  env?: Record<string, string>;
  /** Somebody pairs with the daemon that runs. */
  pair?(stage: Stage): Promise<void>;
  stop(): Promise<void>;
};
/** `heard`: the text of what has just arrived. */
type Open = (heard: (text: string) => void) => Played;

export const PLAYED: Record<string, Open> = {
  ntfy: (heard) => {
    const { url, stop } = takesAll(heard);
    return { settings: `[notify.ntfy]\nurl = "${url}/topic"\n`, stop };
  },
  webhook: (heard) => {
    const { url, stop } = takesAll(heard);
    return { settings: `[notify.webhook]\nurl = "${url}/hook"\nsecret = "0123456789abcdef"\n`, stop };
  },
  telegram: (heard) => {
    const service = createTelegramService();
    listenTo(service.messages, ({ text }) => heard(text));
    return {
      settings: `[notify.telegram]\ntoken_env = "BENCH_BOT"\napi = "${service.url}"\n`,
      env: { BENCH_BOT: TOKEN },
      async pair(stage) {
        service.write(7, await codeFor("telegram", stage));
        await paired(stage);
      },
      stop: () => service[Symbol.asyncDispose](),
    };
  },
  slack: (heard) => {
    const service = createSlackService();
    listenTo(service.posted, ({ text }) => heard(text));
    const tokens = `bot_token_env = "BENCH_BOT"\napp_token_env = "BENCH_APP"`;
    return {
      settings: `[notify.slack]\nchannel = "${CHANNEL}"\n${tokens}\napi = "${service.url}"\n`,
      env: { BENCH_BOT: BOT_TOKEN, BENCH_APP: APP_TOKEN },
      async pair(stage) {
        await submitCode(service, ANN, await codeFor("slack", stage));
        await paired(stage);
      },
      stop: () => service[Symbol.asyncDispose](),
    };
  },
  push: (heard) => {
    const serving = createPushService();
    return {
      settings: `[notify.push]\ntext = true\nprivate_services = true\n`,
      async pair(stage) {
        const page = await enter(stage);
        const { key } = (await page("GET")) as { key: string };
        const { subscription, received } = (await serving).subscribe(key);
        const push = received.push.bind(received);
        received.push = (...all: Pushed[]) => {
          for (const { body } of all) heard(body);
          return push(...all);
        };
        await page("POST", { subscription });
      },
      stop: async () => (await serving)[Symbol.asyncDispose](),
    };
  },
};

/** A server of the person's own. */
function takesAll(heard: (text: string) => void): { url: string; stop: () => Promise<void> } {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      heard(await request.text());
      return new Response("{}");
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}

function listenTo<T>(messages: Map<string, T>, heard: (message: T) => void): void {
  const set = messages.set.bind(messages);
  messages.set = (name, message) => {
    heard(message);
    return set(name, message);
  };
}

async function codeFor(messenger: string, stage: Stage): Promise<string> {
  const { code } = (await asked(stage, "POST", "/api/notify/pair", JSON.stringify({ messenger }))) as { code: string };
  return code;
}

async function paired(stage: Stage): Promise<void> {
  await eventually(async () => {
    const { pairs } = (await asked(stage, "GET", "/api/notify/pairs")) as { pairs: unknown[] };
    if (pairs.length === 0) throw new Error("nobody is paired");
  });
}

async function asked(stage: Stage, method: "GET" | "POST", path: string, body?: string): Promise<unknown> {
  const line = await stage.open();
  try {
    const reply = await line.send(method, path, stage.tokens().human, body);
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.body}`);
    return JSON.parse(reply.body);
  } finally {
    line.close();
  }
}

/** A browser that is signed in. */
async function enter(stage: Stage) {
  const origin = `http://127.0.0.1:${stage.port()}`;
  const post = (body: object, headers: Record<string, string> = {}) => ({
    method: "POST",
    headers: { "content-type": "application/json", origin, ...headers },
    body: JSON.stringify(body),
  });
  const entered = await fetch(`${origin}/page/enter`, post({ token: stage.tokens().human }));
  const { key } = (await entered.json()) as { key: string };
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  return async (method: "GET" | "POST", body: object = {}): Promise<unknown> => {
    const headers = { cookie, [PAGE_KEY.header]: key };
    const response = await fetch(`${origin}/api/push`, method === "GET" ? { headers } : post(body, headers));
    if (!response.ok) throw new Error(`/api/push: ${response.status} ${await response.text()}`);
    return response.json();
  };
}
