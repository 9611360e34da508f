import { z } from "zod";
import type { BrainConfigOf } from "../core/autopilot/brain-config.ts";
import { BrainError } from "./brain.ts";
import type { Turn } from "./conversations.ts";
import { readKey } from "./api-key.ts";
import { postJson } from "./post-json.ts";
import type { BrainDeps, Think } from "./think.ts";

const Reply = z.looseObject({
  choices: z.tuple([z.looseObject({ message: z.looseObject({ content: z.string() }) })], z.unknown()),
});

/** Chat completions, as OpenAI and nearly every server of local models speak it. */
export function createOpenAiBrain(
  config: BrainConfigOf<"openai">,
  { env, conversations }: Pick<BrainDeps, "env" | "conversations">,
): Think {
  return async ({ system, text }, { conversation }, signal) => {
    const said = conversation?.continues ? (conversations?.read(conversation.id) ?? []) : [];
    const turns: Turn[] = [...said, { role: "user", content: text }];
    const key = await readKey(config, env);
    const reply = await postJson(
      {
        url: `${config.url.replace(/\/+$/, "")}/chat/completions`,
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        body: {
          model: config.model,
          messages: [{ role: "system", content: system }, ...turns],
        },
      },
      signal,
    );
    const parsed = Reply.safeParse(reply);
    if (!parsed.success) throw new BrainError("junk", `${new URL(config.url).host} answered without a message`);
    const answer = parsed.data.choices[0].message.content;
    if (conversation) await conversations?.keep(conversation.id, [...turns, { role: "assistant", content: answer }]);
    return answer;
  };
}
