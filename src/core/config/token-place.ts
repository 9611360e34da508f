import { z } from "zod";
import { KEYS } from "./field.ts";

const path = "expected an absolute path, from / or ~/";
const variable = "expected the name of an environment variable";
const address = "expected an address that begins with https://, or of this machine";

// A token itself is never in the settings, which get copied and shown: only where it is.

export const tokenFile = (about: string) =>
  z
    .string({ error: path })
    .regex(/^(~?\/.+)?$/, { error: path })
    .default("")
    .register(KEYS, { about });

export const tokenVariable = (about: string) =>
  z
    .string({ error: variable })
    .regex(/^([A-Za-z_]\w*)?$/, { error: variable })
    .default("")
    .register(KEYS, { about });

export const serviceAddress = (usual: string, about: string) =>
  z.string({ error: address }).refine(isPrivate, { error: address }).default(usual).register(KEYS, { about });

/** The token goes along with every call: over https, or it stays on this machine. */
function isPrivate(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol === "https:") return true;
  return protocol === "http:" && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
