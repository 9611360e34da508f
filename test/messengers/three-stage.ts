import type { Ask, Kind } from "../../src/core/ask/ask.ts";
import type { Answer } from "../../src/core/ask/answer/answer.ts";
import type { Question } from "../../src/core/ask/question.ts";
import { createStage } from "../e2e/notify-stage.ts";
import { eventually } from "../patience.ts";
import { createPushService, type Played } from "./push-service.ts";
import { APP_TOKEN, BOT_TOKEN, CHANNEL, createSlackService, elementsIn, type Posted } from "./slack-service.ts";
import { ANN as ANN_SLACK, pairWith as pairSlack, textIn } from "./slack-stage.ts";
import { createTelegramService, type Shown, TOKEN } from "./telegram-service.ts";
import { ANN, pairWith as pairTelegram } from "./telegram-stage.ts";

export { ANN, ANN_SLACK };
export type Asking = {
  kind?: Kind;
  questions: Question[];
  prefill?: Answer[];
  task?: boolean;
  channel?: "race" | "none" | "self";
};
export type Seen = { telegram: Shown; slack: Posted; push: Played };

/** One inbox whose questions go to a chat, a channel and a phone at once. */
export async function createThreeStage({ approvals = false } = {}) {
  const [telegram, slack] = [createTelegramService(), createSlackService()];
  const phone = { id: "p1", name: "Pixel" };
  const stage = createStage({ env: { BOT: TOKEN, SBOT: BOT_TOKEN, APP: APP_TOKEN }, browsers: () => [phone] });
  const push = await createPushService({ now: () => stage.clock.now });
  stage.config(
    `[notify]\nafter_seconds = 0\nburst = 0\nbuttons_for_approvals = ${approvals}\n` +
      `[notify.desktop]\nenabled = false\n[notify.push]\ntext = true\nprivate_services = true\n` +
      `[notify.telegram]\ntoken_env = "BOT"\napi = "${telegram.url}"\n` +
      `[notify.slack]\nchannel = "${CHANNEL}"\nbot_token_env = "SBOT"\napp_token_env = "APP"\napi = "${slack.url}"\n`,
  );
  // One after the other: who presses Pair looks for what was posted last.
  await pairTelegram(stage, telegram);
  await pairSlack(stage, slack);
  const device = push.subscribe(await stage.notifications.push.key());
  await stage.notifications.push.subscribe(phone, device.subscription);

  /** Until all three have said what they will. */
  async function seen({ id }: Ask): Promise<Seen> {
    await eventually(async () => {
      const events = await stage.store.events({ ask: id, after: 0, limit: 100 });
      const sent = events.filter(({ type, data }) => type === "ask.messaged" && data["step"] === "sent");
      if (sent.length < 3) throw new Error(`told ${sent.length} times: ${JSON.stringify(stage.logged.slice(-3))}`);
    });
    const inSlack = [...slack.posted.values()].find(({ metadata }) => JSON.stringify(metadata ?? {}).includes(id));
    const pushed = device.received.find(({ ask }) => ask === id);
    const inTelegram = telegram.shown(ANN).at(-1);
    if (!inSlack || !pushed || !inTelegram) throw new Error("it is not there");
    return { telegram: inTelegram, slack: inSlack, push: pushed };
  }

  return {
    stage,
    telegram,
    slack,
    push,
    device,
    seen,
    async ask({ kind = "question", questions, prefill, task = false, channel = "race" }: Asking): Promise<Ask> {
      const origin = { agent: "claude-code", project: "shop", ...(task && { task: "t1" }) };
      return stage.inbox.create({ kind, questions, origin, key: "k", channel, ...(prefill && { prefill }) });
    },
    outcome: async ({ id }: Ask) => (await stage.store.ask(id))?.outcome,
    /** Its phone says what was pressed. */
    press: ({ message = "" }: Played, option: number) => stage.notifications.push.reply(phone, message, option),
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      for (const service of [telegram, slack, push]) await service[Symbol.asyncDispose]();
    },
  };
}

/** What each offers, and whether it says where else. */
export function offered({ telegram, slack, push }: Seen) {
  const isElsewhere = (text: string) => text.includes("parley show ");
  return {
    telegram: isElsewhere(telegram.text) ? "elsewhere" : telegram.buttons.map(({ text }) => text),
    slack: isElsewhere(textIn(slack)) ? "elsewhere" : elementsIn(slack).map(({ text, type }) => text?.text ?? type),
    push:
      push.actions.length === 0 && push.body.endsWith("Open it to answer it.")
        ? "opens"
        : push.actions.map(({ title }) => title),
  };
}
