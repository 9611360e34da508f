import type { Messenger } from "../messenger.ts";

export type SendCount = { channel: string; result: "sent" | "failed"; count: number };

/** The same channels, and how often each has sent or failed to. */
export function countSends(channels: readonly Messenger[]): { channels: Messenger[]; counts: readonly SendCount[] } {
  const counts = channels.flatMap(({ name: channel }): SendCount[] => [
    { channel, result: "sent", count: 0 },
    { channel, result: "failed", count: 0 },
  ]);
  return { channels: channels.map(counting), counts };

  function counting(channel: Messenger): Messenger {
    const note = (result: SendCount["result"]) => {
      const found = counts.find((count) => count.channel === channel.name && count.result === result);
      if (found) found.count++;
    };
    return {
      ...channel,
      async send(...args) {
        try {
          const sent = await channel.send(...args);
          note("sent");
          return sent;
        } catch (error) {
          note("failed");
          throw error;
        }
      },
    };
  }
}
