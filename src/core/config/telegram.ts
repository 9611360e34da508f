import { z } from "zod";
import { KEYS, section } from "./field.ts";

const path = "expected an absolute path, from / or ~/";
const variable = "expected the name of an environment variable";
const address = "expected an address that begins with https://, or of this machine";

/** The token itself is never in the settings, which get copied and shown: only where it is. */
export const Telegram = z
  .strictObject(
    {
      token_file: z
        .string({ error: path })
        .regex(/^(~?\/.+)?$/, { error: path })
        .default("")
        .register(KEYS, { about: "File with the token of your own bot, readable by you alone; none: off" }),
      token_env: z
        .string({ error: variable })
        .regex(/^([A-Za-z_]\w*)?$/, { error: variable })
        .default("")
        .register(KEYS, { about: "Or the variable of the daemon's environment that holds it" }),
      api: z
        .string({ error: address })
        .refine(isPrivate, { error: address })
        .default("https://api.telegram.org")
        .register(KEYS, { about: "Where the Bot API is, if you run your own server of it" }),
    },
    section,
  )
  .refine(({ token_file, token_env }) => token_file === "" || token_env === "", {
    path: ["token_env"],
    error: "token_file or token_env, not both",
  });

/** The token is part of every address that is called: it goes over https, or stays on this machine. */
function isPrivate(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol === "https:") return true;
  return protocol === "http:" && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
