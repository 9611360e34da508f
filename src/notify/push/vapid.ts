import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";

/** Who sends (RFC 8292). `publicKey`: as browsers want it, 65 bytes in base64url; `privateKey`: the number of the key. */
export type Vapid = { publicKey: string; privateKey: string };

/** A service takes at most 24 hours. */
const VALID_SECONDS = 12 * 3600;
/** Some services want one; nobody is to be reached over it. */
const CONTACT = "mailto:nobody@example.com";

export function newVapid(): Vapid {
  const {
    x = "",
    y = "",
    d = "",
  } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    format: "jwk",
  });
  const point = [x, y].map((part) => Buffer.from(part, "base64url"));
  return { publicKey: Buffer.concat([Buffer.of(4), ...point]).toString("base64url"), privateKey: d };
}

/** The header with which a push service knows that it is the one the browser subscribed to. `at`: milliseconds. */
export function authorization(endpoint: string, { publicKey, privateKey }: Vapid, at: number): string {
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const jwk = { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "", d: privateKey };
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(at / 1000) + VALID_SECONDS, sub: CONTACT };
  const text = [{ typ: "JWT", alg: "ES256" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${text}.${signature.toString("base64url")}, k=${publicKey}`;
}
