import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const LIFE_MS = 10 * 60_000;
const RANDOM = 16;
const TIME = 6;

/**
 * Challenges that need no place to be kept: signed with the hubs' secret, for one purpose and for a while. Nobody fills a
 * table by asking for them; that one was used is noted when it was answered.
 */
export function createChallenges(secret: string, now: () => number) {
  const sign = (purpose: string, body: Buffer) =>
    createHmac("sha256", secret).update(`${purpose}\n`).update(body).digest().subarray(0, 16);

  return {
    make(purpose: string): Uint8Array<ArrayBuffer> {
      const time = Buffer.alloc(TIME);
      time.writeUIntBE(now() + LIFE_MS, 0, TIME);
      const body = Buffer.concat([randomBytes(RANDOM), time]);
      return new Uint8Array(Buffer.concat([body, sign(purpose, body)]));
    },
    /** Until when it may be used; undefined: it is none, or no longer. */
    until(purpose: string, challenge: string): number | undefined {
      const bytes = Buffer.from(challenge, "base64url");
      if (bytes.length !== RANDOM + TIME + 16) return undefined;
      const body = bytes.subarray(0, RANDOM + TIME);
      if (!timingSafeEqual(bytes.subarray(RANDOM + TIME), sign(purpose, body))) return undefined;
      const until = body.readUIntBE(RANDOM, TIME);
      return until > now() ? until : undefined;
    },
  };
}
