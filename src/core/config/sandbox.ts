import { z } from "zod";
import { ADDRESS } from "../task/sandbox.ts";
import { KEYS, needs } from "./field.ts";

const [words, addresses] = [needs("true, false or the words of a command"), needs(`"agent", "none", "host" or a list`)];
const address = needs(`an address such as "registry.npmjs.org:443"`);
const path = needs("a path that begins with / or ~/");

/** Of the person alone: what a task runs in is no matter of the project it works on. */
export const SANDBOX = {
  sandbox: z
    .union([z.boolean(), z.array(z.string().min(1)).min(1)], { error: words })
    .default(false)
    .register(KEYS, { about: "Run tasks in a sandbox: true for bubblewrap, or the words of a command", strict: true }),
  sandbox_network: z
    .union([z.enum(["agent", "none", "host"]), z.array(z.string().regex(ADDRESS, { error: address })).max(100)], {
      error: addresses,
    })
    .default("agent")
    .register(KEYS, { about: "What a sandbox reaches: agent (what it needs), none, host, or a list", strict: "none" }),
  sandbox_read: z
    .array(z.string().regex(/^(\/|~\/)/, { error: path }), { error: needs("a list of paths") })
    .max(100)
    .default([])
    .register(KEYS, { about: "Files and folders that a sandbox may read besides the system", strict: [] }),
};
