import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { createHash } from "node:crypto";

/** Read when the first signature is looked at. */
const library = () => import("@simplewebauthn/server");
/** A passkey as it is known: `publicKey` COSE, base64url; `rpId`: the host name it belongs to. */
export type KnownKey = { id: string; publicKey: string; rpId: string };

export const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Did this passkey sign exactly this text, for a page of its host, with its person there? Contract: never throws. */
export async function isProof(response: unknown, text: string, key: KnownKey): Promise<boolean> {
  try {
    const given = response as AuthenticationResponseJSON;
    const origin = originOf(given);
    if (given.id !== key.id || origin === undefined || new URL(origin).hostname !== key.rpId) return false;
    const { verifyAuthenticationResponse } = await library();
    const { verified } = await verifyAuthenticationResponse({
      response: given,
      expectedChallenge: createHash("sha256").update(text).digest("base64url"),
      expectedOrigin: origin,
      expectedRPID: key.rpId,
      requireUserVerification: true,
      // What was signed is looked at again and again: its counter says nothing here.
      credential: { id: key.id, publicKey: new Uint8Array(Buffer.from(key.publicKey, "base64url")), counter: 0 },
    });
    return verified;
  } catch {
    return false;
  }
}

/** The host of the page on which it was signed; undefined: it does not say. */
export function hostOf(response: unknown): string | undefined {
  try {
    return new URL(originOf(response as AuthenticationResponseJSON) ?? "").hostname;
  } catch {
    return undefined;
  }
}

function originOf({ response }: AuthenticationResponseJSON): string | undefined {
  const said = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString()) as { origin?: unknown };
  return typeof said.origin === "string" ? said.origin : undefined;
}
