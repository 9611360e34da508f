import { z } from "zod";
import type { BrainConfigOf } from "../core/autopilot/brain-config.ts";
import { BrainError } from "./brain.ts";
import type { Turn } from "./conversations.ts";
import { readKey } from "./api-key.ts";
import { postJson } from "./post-json.ts";
import type { BrainDeps, Think } from "./think.ts";

const Reply = z.looseObject({ content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })) });

/** The Messages API, version 2023-06-01. */
export function createAnthropicBrain(
  config: BrainConfigOf<"anthropic">,
  { env, conversations }: Pick<BrainDeps, "env" | "conversations">,
): Think {
  return async ({ system, text }, { conversation }, signal) => {
    const said = conversation?.continues ? (conversations?.read(conversation.id) ?? []) : [];
    const messages: Turn[] = [...said, { role: "user", content: text }];
    const key = await readKey(config, env);
    const reply = await postJson(
      {
        url: `${config.url.replace(/\/+$/, "")}/v1/messages`,
        headers: { "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) },
        body: {
          model: config.model,
          max_tokens: config.max_tokens,
          system,
          messages,
        },
      },
      signal,
    );
    const parsed = Reply.safeParse(reply);
    if (!parsed.success) throw new BrainError("junk", `${new URL(config.url).host} answered without a message`);
    const answer = parsed.data.content.flatMap((part) => (part.type === "text" ? (part.text ?? "") : [])).join("\n");
    if (conversation) await conversations?.keep(conversation.id, [...messages, { role: "assistant", content: answer }]);
    return answer;
  };
}
