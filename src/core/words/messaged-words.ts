import type { AskEvent } from "../ask/event.ts";
import { safeLine } from "../text/text.ts";

/** `told Ann over telegram`, `Ann replied over telegram: …`: who was told over what, and what came back. */
export function messagedWords({ messenger, step, to, words }: AskEvent & { type: "ask.messaged" }): string {
  const over = `over ${safeLine(messenger, { max: 40 })}`;
  const who = to === undefined ? undefined : safeLine(to, { max: 120 });
  const said = words === undefined ? "" : `: ${safeLine(words, { max: 300 })}`;
  switch (step) {
    case "sent":
      return `${who === undefined ? "told" : `told ${who}`} ${over}${said}`;
    case "waits":
      return `not told yet ${over}${said}`;
    case "reminded":
      return `${who === undefined ? "reminded" : `reminded ${who}`} ${over}${said}`;
    case "failed":
      return `not told ${over}${said}`;
    case "replied":
      return `${who ?? "a reply"} ${who === undefined ? "came" : "replied"} ${over}${said}`;
    case "marked":
      return `its message ${over} is marked${said}`;
  }
  return `${safeLine(step, { max: 40 })} ${over}${said}`;
}

/** `and 6 more questions wait`: in the message that stands for a crowd. */
export const moreWords = (more: number): string => `and ${more} more question${more === 1 ? " waits" : "s wait"}`;
