import { createECDH, createPublicKey, randomBytes, verify } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { decrypt } from "../../src/notify/push/encrypt.ts";
import type { Payload } from "../../src/notify/push/payload.ts";

export type Played = Payload & { at: number };
export type PushService = Awaited<ReturnType<typeof createPushService>>;
/** What happens to the next push: an error, no answer, or one that ends in the middle after it was taken. */
type Fault = { status: number; retryAfter?: number } | "hang" | "cut-after";
type Look = (payload: Payload) => Promise<"cut-before" | void> | void;

/** A second, so that a clock that is a little off is no fault. */
const DAY_SECONDS = 86_400 + 60;

/**
 * A push service on loopback, written from RFC 8030, 8188, 8291 and 8292, with the browsers behind it: it refuses what those
 * say is refused, and what it takes is decrypted with the keys of the subscription.
 */
export async function createPushService({ now = () => Date.now() } = {}) {
  const browsers = new Map<string, ReturnType<typeof browserOf>>();
  const faults: Fault[] = [];
  const refused: string[] = [];
  let before: Look | undefined;
  // Node's own: it can end a line without an answer.
  const server = createServer(async (asked, answer) => {
    const { method = "", url = "/", headers } = asked;
    const body = Buffer.concat(await asked.toArray());
    const request = new Request(`${origin}${url}`, { method, headers: headers as Record<string, string> });
    const response = await take(request, body);
    if (response === "cut") return void asked.socket.destroy();
    answer.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function take(request: Request, body: Buffer): Promise<Response | "cut"> {
    const browser = browsers.get(new URL(request.url).pathname.slice(1));
    const fault = faults.shift();
    if (fault === "hang") return new Promise<"cut">(() => undefined);
    if (typeof fault === "object") {
      const headers = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
      return new Response(null, { status: fault.status, headers });
    }
    if (!browser) return new Response(null, { status: 404 });
    if (browser.isGone) return new Response(null, { status: 410 });
    const wrong = problemWith(request, body, browser.key);
    if (wrong) {
      refused.push(wrong.why);
      return new Response(wrong.why, { status: wrong.status });
    }
    const payload = JSON.parse(decrypt(body, browser.keys, browser.privateKey).toString()) as Payload;
    if ((await before?.(payload)) === "cut-before") return "cut";
    browser.received.push({ ...payload, at: now() });
    if (fault === "cut-after") return "cut";
    return new Response(null, { status: 201, headers: { location: `${origin}/m/${randomBytes(6).toString("hex")}` } });
  }

  function problemWith(request: Request, body: Buffer, key: string): { status: number; why: string } | undefined {
    const header = (name: string) => request.headers.get(name) ?? "";
    const no = (status: number, why: string) => ({ status, why });
    if (request.method !== "POST") return no(405, "method");
    if (!/^\d+$/.test(header("ttl"))) return no(400, "ttl");
    if (!/^[\w-]{0,32}$/.test(header("topic"))) return no(400, "topic");
    if (!["very-low", "low", "normal", "high", ""].includes(header("urgency"))) return no(400, "urgency");
    if (header("content-encoding") !== "aes128gcm") return no(415, "content-encoding");
    if (body.length > 4096) return no(413, "body");
    const [, text = "", signature = "", sender = ""] =
      /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(header("authorization")) ?? [];
    // RFC 8292: 401 where there is none, 403 where it is not valid.
    if (header("authorization") === "") return no(401, "authorization");
    if (sender === "" || !isSigned(text, signature, sender)) return no(403, "signature");
    const [head = {}, claims = {}] = text.split(".").map(jsonIn);
    const left = Number(claims["exp"]) - now() / 1000;
    if (head["alg"] !== "ES256") return no(403, "algorithm");
    if (claims["aud"] !== origin) return no(403, "aud");
    if (!(left > 0 && left < DAY_SECONDS)) return no(403, "exp");
    if (!/^(mailto:.+@.+|https:\/\/.+)/.test(String(claims["sub"]))) return no(403, "sub");
    return sender === key ? undefined : no(403, "another sender");
  }

  function browserOf(key: string) {
    const own = createECDH("prime256v1");
    own.generateKeys();
    const keys = { p256dh: own.getPublicKey("base64url"), auth: randomBytes(16).toString("base64url") };
    const received: Played[] = [];
    return { key, keys, privateKey: own.getPrivateKey(), received, isGone: false };
  }

  return {
    origin,
    faults,
    /** Why it refused something. */
    refused,
    /** Called with each push before it is taken. */
    whenCalled: (look: Look) => void (before = look),
    /** A browser that subscribes; `key`: for whom. */
    subscribe(key: string) {
      const id = randomBytes(8).toString("hex");
      const browser = browserOf(key);
      browsers.set(id, browser);
      return {
        subscription: { endpoint: `${origin}/${id}`, ...browser.keys },
        received: browser.received,
        /** What is on its screen, as the page's worker would have it. */
        shown: () => [...browser.received.reduce(show, new Map<string, Played>()).values()],
        leave: () => void (browser.isGone = true),
      };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function show(screen: Map<string, Played>, payload: Played): Map<string, Played> {
  if (payload.type === "close") screen.delete(payload.tag);
  else screen.set(payload.tag, payload);
  return screen;
}

function jsonIn(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function isSigned(text: string, signature: string, sender: string): boolean {
  const point = Buffer.from(sender, "base64url");
  if (point.length !== 65 || point[0] !== 4) return false;
  const [x = "", y = ""] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  return verify("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
}
