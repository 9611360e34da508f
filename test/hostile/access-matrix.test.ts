import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CONTRACT, type EndpointName, STREAMS } from "../../src/protocol/contract.ts";
import type { Endpoint } from "../../src/protocol/endpoint.ts";
import { DOORS, open, question, type Via } from "../e2e/api-request.ts";
import { createProgram, type Program } from "../e2e/program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start({ PARLEY_LOG: "debug" });
});
afterAll(() => program.dispose());

/** Who comes, and as what they are seen. Host and Origin say something on the port only: no page reaches the socket. */
type Caller = {
  token?: () => string;
  headers?: () => Record<string, string>;
  is: "nobody" | "agent" | "human";
  foreign?: true;
};
const human = () => program.tokens().human;
const port = () => new URL(program.url()).port;
const CALLERS: Record<string, Caller> = {
  "no token": { is: "nobody" },
  "an empty token": { token: () => "", is: "nobody" },
  garbage: { token: () => "garbage", is: "nobody" },
  "a token with more behind it": { token: () => `${human()}x`, is: "nobody" },
  "half a token": { token: () => human().slice(0, 16), is: "nobody" },
  "a token in other letters": { token: () => human().toUpperCase(), is: "nobody" },
  "two tokens": { token: () => `${human()} ${human()}`, is: "nobody" },
  "the token as Basic": { headers: () => ({ authorization: `Basic ${btoa(`x:${human()}`)}` }), is: "nobody" },
  "the token as a cookie": { headers: () => ({ cookie: `token=${human()}` }), is: "nobody" },
  "an agent": { token: () => program.tokens().agent, is: "agent" },
  "a person": { token: human, is: "human" },
  "a person, foreign Host": { token: human, headers: () => ({ host: "evil.example" }), is: "human", foreign: true },
  "a person, foreign Host, our port": {
    token: human,
    headers: () => ({ host: `evil.example:${port()}` }),
    is: "human",
    foreign: true,
  },
  "a person, foreign Origin": {
    token: human,
    headers: () => ({ origin: "http://evil.example" }),
    is: "human",
    foreign: true,
  },
  "a person, Origin null": { token: human, headers: () => ({ origin: "null" }), is: "human", foreign: true },
  "a person, our Origin over TLS": {
    token: human,
    headers: () => ({ origin: `https://127.0.0.1:${port()}` }),
    is: "human",
    foreign: true,
  },
  "a person, our Origin with more": {
    token: human,
    headers: () => ({ origin: `http://127.0.0.1:${port()}.evil.example` }),
    is: "human",
    foreign: true,
  },
  "nobody, foreign Origin": { headers: () => ({ origin: "http://evil.example" }), is: "nobody", foreign: true },
};

/** The status that says whether a caller came in; undefined: it did, and what is sent decides. */
function refusal(caller: Caller, needs: Endpoint["needs"], via: Via, isHook: boolean): number | undefined {
  if (via === "port" && caller.foreign) return 403;
  if (needs !== "none" && caller.is === "nobody") return 401;
  if (needs === "human" && caller.is === "agent") return 403;
  return isHook && via === "port" ? 403 : undefined;
}

const names = Object.keys(CONTRACT) as EndpointName[];
describe.each(names)("%s", (name) => {
  const { method, path, needs }: Endpoint = CONTRACT[name];
  test.each(DOORS)("[HO40] lets in whom it says it is for, and nobody else (%s)", async (via) => {
    for (const [who, caller] of Object.entries(CALLERS)) {
      const wanted = refusal(caller, needs, via, name.startsWith("hook"));
      // It would end the daemon; whom it lets in is seen by the refusals of all others.
      if (name === "shutdown" && wanted === undefined) continue;
      const response = await call(via, `${method} ${path.replace(":id", await newAsk())}`, caller);
      const isIn = ![401, 403].includes(response.status);
      expect([who, isIn ? undefined : response.status]).toEqual([who, wanted]);
      expect((await response.text()).includes(human())).toBe(false);
    }
  });
});

test.each(DOORS)("[HO41] live events let in a person and nobody else (%s)", async (via) => {
  for (const path of Object.values(STREAMS)) {
    for (const [who, caller] of Object.entries(CALLERS)) {
      const wanted = refusal(caller, "human", via, false);
      const ending = new AbortController();
      const response = await call(via, `GET ${path}`, caller, ending.signal);
      expect([path, who, [401, 403].includes(response.status) ? response.status : undefined]).toEqual([
        path,
        who,
        wanted,
      ]);
      ending.abort();
    }
  }
});

test("[HO42] a WebSocket of a page of another site is refused before it is one", async () => {
  const url = `${program.url().replace("http", "ws")}${STREAMS.websocket}`;
  const authorization = `Bearer ${human()}`;
  const opened = (headers: Record<string, string>) => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const socket = new WebSocket(url, { headers });
    socket.addEventListener("open", () => (resolve(true), socket.close()));
    socket.addEventListener("error", () => resolve(false));
    socket.addEventListener("close", () => resolve(false));
    return promise;
  };
  expect(await opened({ authorization })).toBe(true);
  expect(await opened({ authorization, origin: `http://127.0.0.1:${port()}` })).toBe(true);
  for (const headers of [
    {},
    { authorization: `Bearer ${program.tokens().agent}` },
    { authorization, origin: "null" },
    { authorization, origin: "http://evil.example" },
    { authorization, host: "evil.example" },
  ])
    expect([headers, await opened(headers as Record<string, string>)]).toEqual([headers, false]);
});

test("[HO43] the port of the links has no endpoint of the contract, with whatever token", async () => {
  const other = createProgram();
  const file = join(other.user, ".config/parley/config.toml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '[notify]\nlink_base = "https://me.example.net"\nlink_port = 0\n');
  await other.start();
  const { links } = await other.client().call("notifyTest", { body: {} });
  for (const { method, path } of Object.values(CONTRACT) as Endpoint[]) {
    for (const token of [undefined, other.tokens().agent, other.tokens().human]) {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(`http://127.0.0.1:${links.port}${path}`, { method, headers });
      expect([path, [404, 405].includes(response.status)]).toEqual([path, true]);
    }
  }
  const foreign = await fetch(`http://127.0.0.1:${links.port}/act/x`, { headers: { host: "evil.example" } });
  expect(foreign.status).toBe(403);
  await other.dispose();
});

test("[HO44] no token is in the log, at its most talkative, after all that", async () => {
  const log = await Bun.file(program.paths.log).text();
  expect(log.length).toBeGreaterThan(1000);
  for (const token of Object.values(program.tokens())) expect(log.includes(token)).toBe(false);
});

function call(via: Via, line: string, { token, headers }: Caller, signal?: AbortSignal) {
  return open(program, via, line, {
    ...(token && { token: token() }),
    headers: headers?.() ?? {},
    ...(!line.startsWith("GET") && { body: {} }),
    ...(signal && { signal }),
  });
}

let made = "";
async function newAsk(): Promise<string> {
  const body = { questions: [question()] };
  made ||= (await program.client("agent").call("createAsk", { body })).id;
  return made;
}
