import { factsOf } from "../../ask/channel.ts";
import type { WayEvent } from "../../ask/event-lists.ts";
import { safeLine } from "../../text/text.ts";

// Apart from the rest of a history: the page shows no such details, and loads no words for them.

/** How an Ask reached its hook and the answer its agent, as one line of its history. */
export function deliveryWords(event: WayEvent): string {
  switch (event.type) {
    case "ask.joined":
      return event.replaces ? "its tool call was identified" : "asked a second time in the same message";
    case "ask.context":
      return "found what the agent said before it";
    case "ask.held":
      return event.racing
        ? "waiting here and in the agent's own dialog"
        : "waiting here; the agent's own dialog is not open";
    case "ask.released":
      if (event.hold === "") return `keys stopped: ${safeLine(event.reason, { max: 200 })}`;
      return `stopped waiting here: ${RELEASED[event.reason] ?? safeLine(event.reason, { max: 80 })}`;
    case "ask.sent":
      return factsOf(event.channel)?.sent || `taken by the agent (${safeLine(event.channel, { max: 40 })})`;
  }
}

const RELEASED: Record<string, string> = {
  signal: "the agent ended its hook",
  deadline: "its time ran out; answer in the terminal",
  "agent-exited": "the agent is gone",
  "hook-gone": "its hook is gone",
  "bad-reply": "its hook did not trust the reply",
  "own-dialog": "so that the agent's own dialog can open; answer there",
  subagent: "so that its dialog can open; answer in the terminal",
};
