import { asRecord } from "../record.ts";

/**
 * A field for something that nobody else may see: said so by its server, or its name sounds like it. Rather one too many:
 * what is taken for a secret is only hidden.
 */
export function looksSecret(name: string, given: Record<string, unknown>): boolean {
  const { format, writeOnly, title } = given;
  if (format === "password" || writeOnly === true) return true;
  const notes = [given, asRecord(given["_meta"]) ?? {}].flatMap((notes) => Object.entries(notes));
  if (notes.some(([key, value]) => value === true && MARKS.test(key))) return true;
  return [name, typeof title === "string" ? title : ""].some((text) => SOUNDS.test(spaced(text)));
}

const MARKS = /(?:^|[-_/.])(?:secret|sensitive|password|confidential)$/i;
const SOUNDS =
  /\b(?:pass(?:word|wd|phrase|code)s?|pwd|secrets?|tokens?|credentials?|api keys?|(?:access|private|secret|signing|encryption|ssh) keys?|pin(?: code)?|otp|totp|2fa|mfa|one time (?:code|password)|cvv|cvc|cvv2|ssn|social security|card number|iban|recovery (?:code|phrase)s?|seed phrase|mnemonic|bearer|auth(?:orization)?)\b/i;

/** `githubApiKey`, `API_KEY` and `api-key` as words. */
const spaced = (text: string) =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ");
