import { z } from "zod";
import { KEYS, section } from "./field.ts";
import { serviceAddress, tokenFile, tokenVariable } from "./token-place.ts";

const channel = "expected the id of a channel, such as C0123456789";

export const Slack = z
  .strictObject(
    {
      channel: z
        .string({ error: channel })
        .regex(/^([CG][A-Z0-9]{2,30})?$/, { error: channel })
        .default("")
        .register(KEYS, { about: "Id of the channel in which your app asks; none: off" }),
      bot_token_file: tokenFile("File with the bot token (xoxb-…) of your own app, readable by you alone"),
      bot_token_env: tokenVariable("Or the variable of the daemon's environment that holds it"),
      app_token_file: tokenFile("File with its app-level token (xapp-…), by which it listens"),
      app_token_env: tokenVariable("Or the variable of the daemon's environment that holds it"),
      api: serviceAddress("https://slack.com/api", "Where Slack's Web API is, if not there"),
    },
    section,
  )
  .refine(({ bot_token_file, bot_token_env }) => bot_token_file === "" || bot_token_env === "", {
    path: ["bot_token_env"],
    error: "bot_token_file or bot_token_env, not both",
  })
  .refine(({ app_token_file, app_token_env }) => app_token_file === "" || app_token_env === "", {
    path: ["app_token_env"],
    error: "app_token_file or app_token_env, not both",
  });
