import type { ReadStream } from "node:tty";

const EVENTS = ["data", "readable", "keypress"] as const;

/** Takes every key away from who listened before, and gives the input back as it was. */
export function borrowInput(input: ReadStream): () => void {
  const wasFlowing = input.readableFlowing === true;
  const borrowed = EVENTS.map((event) => [event, input.rawListeners(event)] as const);
  for (const [event] of borrowed) input.removeAllListeners(event);
  return () => {
    for (const [event, listeners] of borrowed) {
      for (const listener of listeners) input.on(event, listener as () => void);
    }
    if (wasFlowing) input.resume();
  };
}
