import { z } from "zod";
import { flag, KEYS, needs, section } from "./field.ts";

const CLICKS = ["pane", "page", "nothing"] as const;
export type Click = (typeof CLICKS)[number];
const sound = needs(`the name of a sound, such as "message-new-instant", or a file's whole path`);

export const Desktop = z.strictObject(
  {
    enabled: flag(true).register(KEYS, { about: "Desktop notifications, where there is a desktop" }),
    click: z
      .enum(CLICKS, { error: needs(CLICKS.join(", ")) })
      .default("pane")
      .register(KEYS, {
        about: "What a click on one does: go to the agent's tmux pane (else the page), open the question in the page",
      }),
    sound: z
      .string({ error: sound })
      .refine((text) => /^(?:[\w .-]{1,100}|\/[^\0\n:]{1,500})?$/.test(text), { error: sound })
      .default("")
      .register(KEYS, { about: "Sound of a question, where the desktop plays one: its name or a file; empty: none" }),
    bell: flag(false).register(KEYS, {
      about: "Without a desktop: ring the bell in the agent's terminal (tmux)",
    }),
  },
  section,
);
