import { z } from "zod";
import { flag, KEYS, section } from "./field.ts";

export const Push = z.strictObject(
  {
    enabled: flag(true).register(KEYS, { about: "Push to phones and browsers that asked for it in the page" }),
    text: flag(false).register(KEYS, {
      about: "The question and buttons in the push itself; else it says only that one waits",
      strict: false,
    }),
    private_services: flag(false).register(KEYS, {
      about: "Also send to a push service in a private network, such as one of your own",
      strict: false,
    }),
  },
  section,
);
