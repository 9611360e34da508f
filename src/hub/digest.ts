import { createHash, randomBytes } from "node:crypto";

/** What is kept of a code or a token: they are long and random, so nobody finds them from it. */
export const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

export const newSecret = (): string => `pt_${randomBytes(32).toString("base64url")}`;
