import { createListener } from "../../../src/notify/telegram/listener.ts";
import { buttonData } from "../../../src/notify/chat/button-data.ts";
import { createPairs } from "../../../src/notify/chat/pairs.ts";
import type { Ledger } from "../../../src/store/ledger.ts";
import type { Door } from "./doors.ts";

const [ANN, MESSAGE, ASK] = [4242, 10, "abcdefgh2345"];
const chat = { id: ANN, type: "private" };
const from = { id: ANN, is_bot: false, first_name: "Ann" };
const shown = { message_id: MESSAGE, date: 1, chat };
const query = (data: string) => ({ callback_query: { id: "q1", from, chat_instance: "1", message: shown, data } });

/** As the Bot API's documentation has them; what is sent to the bot. */
const UPDATES: unknown[] = [
  { message: { message_id: 11, date: 1, chat, from, text: "Postgres, please", reply_to_message: shown } },
  { message: { message_id: 12, date: 1, chat, from, text: "/start abcdefgh2345" } },
  { message: { message_id: 13, date: 1, chat: { id: -5, type: "group" }, from, text: "hello" } },
  query(buttonData(ASK, 1, { type: "press", question: 0, option: 1 })),
  query(buttonData(ASK, 1, { type: "tick", question: 0, option: 1, on: true })),
  query(buttonData(ASK, 1, { type: "send" })),
  query("test.1"),
].map((update, i) => ({ update_id: 700 + i, ...update }));

/** Contract: only who is paired is heard, only about an Ask that a message or a button of ours names, and nothing is an error. */
export function telegramDoor(): Door {
  return {
    name: "telegram updates",
    samples: UPDATES,
    async play(values) {
      const pairs = createPairs({ file: undefined, now: () => 1 });
      await pairs.take(pairs.code("telegram").code, {
        messenger: "telegram",
        id: `${ANN}`,
        chat: `${ANN}`,
        name: "Ann",
      });
      pairs.code("telegram");
      const ledger = {
        message: (_: string, name: string) =>
          name === `${ANN}:${MESSAGE}` ? { person: `${ANN}`, ask: ASK, version: 1 } : undefined,
      } as unknown as Ledger;
      const over = Promise.withResolvers<string | undefined>();
      let polls = 0;
      const listener = createListener({
        pairs,
        ledger,
        tests: new Map(),
        call: async (method, _body, signal) => {
          if (method !== "getUpdates") return {};
          if (polls++ === 0) return values;
          over.resolve(undefined);
          return new Promise((_, fail) => signal.addEventListener("abort", () => fail(new Error("over"))));
        },
        take: async ({ person, ask, input }) => {
          const isNamed = input.type === "words" ? ask === ASK : /^[\w-]{1,32}$/.test(ask);
          if (person?.id !== `${ANN}` || !isNamed) over.resolve(`taken: ${person?.id}, ${ask}`);
          return { state: "unknown", words: "x" };
        },
        log: (level, words, more) => {
          if (level !== "info") over.resolve(`${words} ${JSON.stringify(more)}`);
        },
      });
      listener.listen("1");
      const wrong = await over.promise;
      await listener.stop();
      if (pairs.of("telegram").length !== 1) throw new Error("somebody was paired without a code");
      if (wrong !== undefined) throw new Error(wrong);
    },
  };
}
