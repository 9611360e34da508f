import { expect, test } from "bun:test";
import { createECDH, createPublicKey, verify } from "node:crypto";
import { decrypt, encrypt, MOST_PLAIN, open, RECORD, seal } from "./encrypt.ts";
import { authorization, newVapid } from "./vapid.ts";

const bytes = (text: string) => Buffer.from(text, "base64url");
/** RFC 8291, section 5 and appendix A. */
const RFC_8291 = {
  plain: "When I grow up, I want to be a watermelon",
  sender: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  receiver: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
  keys: {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  },
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};
/** RFC 8188, section 3.1 and 3.2. */
const WALRUS = "I am the walrus";
const RFC_8188 = [
  {
    key: "yqdlZ-tYemfogSmv7Ws5PQ",
    salt: "I1BsxtFttlv3u_Oo94xnmw",
    name: "",
    record: 4096,
    pad: 0,
    body: "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg",
  },
  {
    key: "BO3ZVPxUlnLORbVGMpbT1Q",
    salt: "uNCkWiNYzKTnBN9ji3-qWA",
    name: "a1",
    record: 25,
    pad: 1,
    body: "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEUKEpgz3SsLWIqS_uA",
  },
];

test("[WP1] a message is encrypted byte for byte as the example of RFC 8291 is, and read back", () => {
  const { plain, sender, receiver, keys, salt, body } = RFC_8291;
  const made = encrypt(Buffer.from(plain), keys, { salt: bytes(salt), privateKey: bytes(sender) });
  expect(made.toString("base64url")).toBe(body);
  expect(decrypt(bytes(body), keys, bytes(receiver)).toString()).toBe(plain);
});

test.each(RFC_8188)("[WP2] the content coding is that of RFC 8188 ($record bytes a record)", (example) => {
  const { key, salt, name, record, pad, body } = example;
  const sealing = { salt: bytes(salt), name: Buffer.from(name), record };
  expect(seal(Buffer.from(WALRUS), bytes(key), sealing, pad).toString("base64url")).toBe(body);
  const names: string[] = [];
  const read = open(bytes(body), (said) => (names.push(said.toString()), bytes(key)));
  expect([read.toString(), ...names]).toEqual([WALRUS, name]);
});

test("[WP3] each message has a key and salt of its own, fits into 4096 bytes, and one changed byte is noticed", () => {
  const receiver = createECDH("prime256v1");
  receiver.generateKeys();
  const keys = { p256dh: receiver.getPublicKey("base64url"), auth: bytes(RFC_8291.salt).toString("base64url") };
  const plain = Buffer.alloc(MOST_PLAIN, "ä");
  const [one, two] = [encrypt(plain, keys), encrypt(plain, keys)];
  expect(one).toHaveLength(RECORD);
  expect(one.subarray(0, 86).equals(two.subarray(0, 86))).toBe(false);
  expect(decrypt(one, keys, receiver.getPrivateKey()).equals(plain)).toBe(true);
  for (const at of [0, 30, 90, one.length - 1]) {
    const wrong = Buffer.from(one);
    wrong[at] = (wrong[at] ?? 0) ^ 1;
    expect(() => decrypt(wrong, keys, receiver.getPrivateKey())).toThrow();
  }
  for (const wrong of [
    { ...keys, auth: "AAAA" },
    { ...keys, p256dh: keys.auth },
  ])
    expect(() => encrypt(plain, wrong)).toThrow();
});

test("[WP4] the sender is named as RFC 8292 says: signed with its own key, for this service, for less than a day", () => {
  const vapid = newVapid();
  const header = authorization("https://push.example.net:8443/send/abc", vapid, 1_000_000);
  const [, head = "", claims = "", signature = "", key] =
    /^vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(.+)$/.exec(header) ?? [];
  const json = (part: string) => JSON.parse(bytes(part).toString()) as Record<string, unknown>;
  expect(key).toBe(vapid.publicKey);
  expect(json(head)).toEqual({ typ: "JWT", alg: "ES256" });
  expect(json(claims)).toMatchObject({ aud: "https://push.example.net:8443", exp: 1000 + 12 * 3600 });
  const point = bytes(vapid.publicKey);
  const [x = "", y = ""] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const good = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    bytes(signature),
  );
  expect([point.length, good]).toEqual([65, true]);
});
