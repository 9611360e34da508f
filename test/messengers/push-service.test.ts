import { expect, test } from "bun:test";
import { generateKeyPairSync, sign } from "node:crypto";
import { encrypt } from "../../src/notify/push/encrypt.ts";
import { authorization, newVapid } from "../../src/notify/push/vapid.ts";
import { createPushService } from "./push-service.ts";

const NOW = 1_800_000_000_000;
const vapid = newVapid();
type Sent = { headers: Record<string, string>; body: Buffer; method: string; url: string };

const signed = (endpoint: string, at = NOW, by = vapid) => authorization(endpoint, by, at);
/** Signed with the right key, and saying something else. */
function saying(endpoint: string, claims: object, head: object = { typ: "JWT", alg: "ES256" }): string {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const key = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const whole = { aud: new URL(endpoint).origin, exp: NOW / 1000 + 3600, sub: "mailto:a@b.example", ...claims };
  const text = [head, whole].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `vapid t=${text}.${signature.toString("base64url")}, k=${key.toString("base64url")}`;
}
const without = (name: string) => (sent: Sent) => void delete sent.headers[name];
const header = (name: string, value: string) => (sent: Sent) => void (sent.headers[name] = value);
const claims = (wrong: object, head?: object) => (sent: Sent) =>
  void (sent.headers["authorization"] = saying(sent.url, wrong, head));

/** Each is what Parley sends, with one thing wrong. */
const CASES: [string, (sent: Sent) => void, number, string][] = [
  ["no TTL", without("ttl"), 400, "ttl"],
  ["a TTL that is no number", header("ttl", "a week"), 400, "ttl"],
  ["a topic of more than 32 letters", header("topic", "x".repeat(33)), 400, "topic"],
  ["a topic with other letters", header("topic", "a+b/"), 400, "topic"],
  ["an urgency that is none", header("urgency", "now"), 400, "urgency"],
  ["another encoding", header("content-encoding", "aesgcm"), 415, "content-encoding"],
  ["more than 4096 bytes", (sent) => void (sent.body = Buffer.concat([sent.body, Buffer.alloc(4096)])), 413, "body"],
  ["nobody's signature", without("authorization"), 401, "authorization"],
  ["something else than a token", header("authorization", "vapid t=x, k=y"), 403, "signature"],
  ["another scheme", header("authorization", "Bearer x"), 403, "signature"],
  [
    "a token that was changed",
    (sent) => void (sent.headers["authorization"] = signed(sent.url).replace(/\.[\w-]{10}/, ".AAAAAAAAAA")),
    403,
    "signature",
  ],
  [
    "a token that is over",
    (sent) => void (sent.headers["authorization"] = signed(sent.url, NOW - 86_400_000)),
    403,
    "exp",
  ],
  ["a token for more than a day", claims({ exp: NOW / 1000 + 90_000 }), 403, "exp"],
  ["a token without an end", claims({ exp: undefined }), 403, "exp"],
  [
    "a token for another service",
    (sent) => void (sent.headers["authorization"] = signed("https://push.example/x")),
    403,
    "aud",
  ],
  ["a token with another algorithm", claims({}, { typ: "JWT", alg: "none" }), 403, "algorithm"],
  ["a token that names nobody", claims({ sub: "nobody" }), 403, "sub"],
  [
    "another sender's key",
    (sent) => void (sent.headers["authorization"] = signed(sent.url, NOW, newVapid())),
    403,
    "another sender",
  ],
  ["another method", (sent) => void (sent.method = "PUT"), 405, "method"],
  ["a subscription that never was", (sent) => void (sent.url += "x"), 404, ""],
];

test("[RE4] the played push service takes what Parley sends, and refuses it with one thing wrong", async () => {
  await using service = await createPushService({ now: () => NOW });
  const phone = service.subscribe(vapid.publicKey);
  const { endpoint, p256dh, auth } = phone.subscription;
  const make = (): Sent => ({
    method: "POST",
    url: endpoint,
    headers: {
      authorization: signed(endpoint),
      "content-encoding": "aes128gcm",
      ttl: "60",
      topic: "t",
      urgency: "high",
    },
    body: encrypt(Buffer.from(`{"type":"ask","tag":"t","actions":[]}`), { p256dh, auth }),
  });
  const send = async ({ url, method, headers, body }: Sent) => {
    const response = await fetch(url, { method, headers, body: new Uint8Array(body) });
    return [response.status, await response.text()];
  };
  const found: unknown[] = [];
  for (const [name, bend] of CASES) {
    const sent = make();
    bend(sent);
    found.push([name, ...(await send(sent))]);
  }
  expect(found).toEqual(CASES.map(([name, , status, why]) => [name, status, why]));
  expect(phone.received).toEqual([]);
  expect((await send(make()))[0]).toBe(201);
  expect(phone.received).toHaveLength(1);
  phone.leave();
  expect((await send(make()))[0]).toBe(410);
});
