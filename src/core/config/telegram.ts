import { z } from "zod";
import { section } from "./field.ts";
import { serviceAddress, tokenFile, tokenVariable } from "./token-place.ts";

export const Telegram = z
  .strictObject(
    {
      token_file: tokenFile("File with the token of your own bot, readable by you alone; none: off"),
      token_env: tokenVariable("Or the variable of the daemon's environment that holds it"),
      api: serviceAddress("https://api.telegram.org", "Where the Bot API is, if you run your own server of it"),
    },
    section,
  )
  .refine(({ token_file, token_env }) => token_file === "" || token_env === "", {
    path: ["token_env"],
    error: "token_file or token_env, not both",
  });
