import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import type { Link } from "../../store/hub/chain.ts";

/** How far the log went at some time, signed by the hub: kept elsewhere, it shows later whether what was before is still there. */
export type SignedHead = {
  seq: number;
  hash: string;
  at: number;
  /** The hub's public key: Ed25519, SPKI, base64. */
  key: string;
  /** Base64, of the lines `parley hub audit head 1`, seq, hash and at. */
  signature: string;
};

/** A new key of a hub, as it is kept. */
export const newKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");

const signed = ({ seq, hash, at }: Link & { at: number }): Buffer =>
  Buffer.from(`parley hub audit head 1\n${seq}\n${hash}\n${at}\n`);

export function signHead({ seq, hash }: Link, at: number, secret: string): SignedHead {
  const own = createPrivateKey({ key: Buffer.from(secret, "base64"), type: "pkcs8", format: "der" });
  const key = createPublicKey(own).export({ type: "spki", format: "der" }).toString("base64");
  return { seq, hash, at, key, signature: sign(null, signed({ seq, hash, at }), own).toString("base64") };
}

/** Did whoever has this key sign exactly this? Contract: never throws. */
export function isSigned(head: SignedHead): boolean {
  try {
    const key: KeyObject = createPublicKey({ key: Buffer.from(head.key, "base64"), type: "spki", format: "der" });
    const bytes = Buffer.from(head.signature, "base64");
    // Another spelling of the same bytes is a change too.
    const isExact = bytes.toString("base64") === head.signature && exported(key) === head.key;
    return isExact && key.asymmetricKeyType === "ed25519" && verify(null, signed(head), key, bytes);
  } catch {
    return false;
  }
}

const exported = (key: KeyObject): string => key.export({ type: "spki", format: "der" }).toString("base64");

/** Contract: undefined for what is not a head. */
export function headOf(value: unknown): SignedHead | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { seq, hash, at, key, signature } = value as Record<string, unknown>;
  const isOne =
    Number.isSafeInteger(seq) &&
    Number.isSafeInteger(at) &&
    [hash, key, signature].every((each) => typeof each === "string");
  return isOne ? ({ seq, hash, at, key, signature } as SignedHead) : undefined;
}
