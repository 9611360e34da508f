import { buttonData } from "../../../src/notify/chat/button-data.ts";
import { createPairs } from "../../../src/notify/chat/pairs.ts";
import { createListener } from "../../../src/notify/slack/listener.ts";
import type { Door } from "./doors.ts";
import { parseUncounted, unmetered } from "./work.ts";

const [TEAM, ANN, CHANNEL, MESSAGE, ASK] = ["T1", "U1ANN", "C1", "1700000000.000001", "abcdefgh2345"];
const END = "the end";
const by = { user: { id: ANN, username: "ann", name: "ann", team_id: TEAM }, team: { id: TEAM, domain: "played" } };
const at = {
  trigger_id: "1.2.3",
  container: { type: "message", message_ts: MESSAGE, channel_id: CHANNEL, is_ephemeral: false },
  channel: { id: CHANNEL, name: "agents" },
  message: { type: "message", ts: MESSAGE, text: "Which database?", blocks: [{ type: "section" }] },
};
const chosen = (value: string) => ({ text: { type: "plain_text", text: value }, value });
const press = (value: string, state?: object) => ({
  type: "block_actions",
  ...by,
  ...at,
  actions: [{ type: "button", action_id: "b", block_id: "1", value, action_ts: "1.5" }],
  ...(state && { state: { values: state } }),
});
const submitted = (callback_id: string, values: object, metadata: object) => ({
  type: "view_submission",
  ...by,
  view: { id: "V1", hash: "1.h", callback_id, private_metadata: JSON.stringify(metadata), state: { values } },
});
const about = { ask: ASK, version: 1, message: `${CHANNEL}:${MESSAGE}`, free: [1] };
const form = {
  "0.pick": { v: { type: "checkboxes", selected_options: [chosen("0"), chosen("1")] } },
  "1.pick": { v: { type: "radio_buttons", selected_option: chosen("0") } },
  "1.text": { v: { type: "plain_text_input", value: "a plain file" } },
  "1.note": { v: { type: "plain_text_input", value: null } },
};

/** As Slack's documentation of Socket Mode and of interaction payloads has them. */
const ENVELOPES: unknown[] = [
  press(buttonData(ASK, 1, { type: "press", question: 0, option: 1 })),
  press(`m.${ASK}.1`, { ticks: { v: { type: "multi_static_select", selected_options: [chosen("0"), chosen("1")] } } }),
  press(`f.${ASK}.1`),
  press("pair"),
  press("test.1"),
  submitted("form", form, about),
  submitted("pair", { code: { v: { type: "plain_text_input", value: "ABCD-EFGH" } } }, about),
].map((payload, i) => ({ envelope_id: `e${i}`, type: "interactive", accepts_response_payload: true, payload }));

/** Contract: only who is paired is heard, a button only about the Ask that it names, and nothing is an error. */
export function slackDoor(): Door {
  return {
    name: "slack envelopes",
    samples: [...ENVELOPES, { type: "disconnect", reason: "refresh_requested", debug_info: {} }],
    async play(values) {
      const pairs = createPairs({ file: undefined, now: () => 1 });
      const ann = { messenger: "slack", id: `${TEAM}:${ANN}`, chat: CHANNEL, name: "Ann" } as const;
      await pairs.take(pairs.code("slack").code, ann);
      pairs.code("slack");
      const over = Promise.withResolvers<string | undefined>();
      using server = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: (request, self) => (self.upgrade(request) ? undefined : new Response("no", { status: 400 })),
        websocket: {
          maxPayloadLength: 1 << 26,
          open(line) {
            line.send(JSON.stringify({ type: "hello" }));
            for (const value of values) line.send(JSON.stringify(unmetered(value)) ?? "");
            line.send(JSON.stringify({ type: "interactive", envelope_id: END, payload: {} }));
          },
          message(_, text) {
            if ((parseUncounted(String(text)) as { envelope_id?: unknown }).envelope_id === END)
              over.resolve(undefined);
          },
          // It was told that Socket Mode is off.
          close: () => over.resolve(undefined),
        },
      });
      const listener = createListener({
        pairs,
        tests: new Map(),
        isKnown: () => false,
        sheet: async () => ({ state: "unknown", words: "x" }),
        call: async (method) => (method === "apps.connections.open" ? { url: `ws://127.0.0.1:${server.port}` } : {}),
        take: async ({ person, ask, version, input }) => {
          const isButton = input.type !== "sheet";
          const picks = input.type === "sheet" ? input.answers.flatMap((answer) => answer.picks) : [];
          const isFine = picks.every((pick) => Number.isInteger(pick) && pick >= 0) && Number.isFinite(version ?? 0);
          if (person?.id !== ann.id || !isFine || (isButton && !/^[\w-]{1,32}$/.test(ask)))
            over.resolve(`taken: ${person?.id}, ${ask}, ${version}, ${picks.join()}`);
          return { state: "unknown", words: "x" };
        },
        log: (level, words, more) => {
          if (level !== "info") over.resolve(`${words} ${JSON.stringify(more)}`);
        },
      });
      listener.listen("1");
      const wrong = await over.promise;
      await listener.stop();
      if (pairs.of("slack").length !== 1) throw new Error("somebody was paired without a code");
      if (wrong !== undefined) throw new Error(wrong);
    },
  };
}
