import { z } from "zod";

const text = (what: string) =>
  z
    .string({ error: `expected ${what}` })
    .trim()
    .min(1, { error: `expected ${what}` });
const timeout_seconds = z
  .number({ error: "expected seconds from 1 to 3600" })
  .int({ error: "expected whole seconds" })
  .min(1, { error: "expected seconds from 1 to 3600" })
  .max(3600, { error: "expected seconds from 1 to 3600" })
  .default(120);
/** The brain that has to agree before an answer of this one goes out by itself. */
const second = text("the name of a brain").optional();
const variable = z.string().regex(/^[A-Za-z_]\w*$/, { error: "expected the name of an environment variable" });

/** Where a key is found: never in the settings themselves, which get copied, shown and put into repositories. */
const key = {
  key_env: variable.optional(),
  key_file: z
    .string()
    .regex(/^~?\/./, { error: "expected an absolute path, from / or ~/" })
    .optional(),
};
const url = z
  .string({ error: "expected an address" })
  .refine((given) => /^https?:\/\//.test(given) && URL.canParse(given), {
    error: "expected an address that begins with http:// or https://",
    abort: true,
  });

const Command = z.strictObject({
  type: z.literal("command"),
  /** The program (a name on the PATH, or a path from / or ~/) and its arguments; no shell reads them. */
  command: z.array(z.string(), { error: `expected a list, such as ["decide", "--fast"]` }).min(1, {
    error: "expected a program",
  }),
  /** Names of the variables it gets besides the usual ones. */
  env: z.array(variable).default([]),
  second,
  timeout_seconds,
});
const Claude = z.strictObject({
  type: z.literal("claude"),
  program: text("a program").default("claude"),
  model: text("a model").optional(),
  second,
  timeout_seconds,
});
const Anthropic = z.strictObject({
  type: z.literal("anthropic"),
  url: url.default("https://api.anthropic.com"),
  model: text("a model"),
  max_tokens: z.number().int().min(100).max(64_000).default(4000),
  ...key,
  second,
  timeout_seconds,
});
const OpenAi = z.strictObject({
  type: z.literal("openai"),
  /** With the version in it, as in https://api.openai.com/v1. */
  url,
  model: text("a model"),
  ...key,
  second,
  timeout_seconds,
});
const OpenClaw = z.strictObject({
  type: z.literal("openclaw"),
  url: url.default("http://127.0.0.1:18789"),
  /** Which of its agents decides. */
  agent: text("an agent").optional(),
  ...key,
  second,
  timeout_seconds: timeout_seconds.unwrap().default(300),
});

/** How one brain is reached. */
export const BrainConfig = z
  .discriminatedUnion("type", [Command, Claude, Anthropic, OpenAi, OpenClaw], {
    error: "expected a type: command, claude, anthropic, openai or openclaw",
  })
  .superRefine((brain, { addIssue }) => {
    if (!("url" in brain)) return;
    const named = [brain.key_env, brain.key_file].filter((place) => place !== undefined).length;
    if (named > 1) addIssue({ code: "custom", path: ["key_file"], message: "key_env or key_file, not both" });
    if (named === 0 && brain.type !== "openai")
      addIssue({ code: "custom", path: ["key_env"], message: "expected key_env or key_file" });
    if (named > 0 && !isPrivate(brain.url))
      addIssue({ code: "custom", path: ["url"], message: "a key goes only over https://, or to this machine" });
  });
export type BrainConfig = z.infer<typeof BrainConfig>;
export type BrainConfigOf<Type extends BrainConfig["type"]> = Extract<BrainConfig, { type: Type }>;

function isPrivate(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
