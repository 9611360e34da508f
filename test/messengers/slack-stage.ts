import { eventually } from "../patience.ts";
import { createStage, type Stage } from "../e2e/notify-stage.ts";
import {
  APP_TOKEN,
  BOT_TOKEN,
  CHANNEL,
  createSlackService,
  type Element,
  elementsIn,
  type Posted,
  type SlackService,
} from "./slack-service.ts";

export const ANN = "U1ANN";
export const EVE = "U3EVE";
export const settings = ({ url }: SlackService, more = "") =>
  `[notify]\nafter_seconds = 0\n${more}\n[notify.desktop]\nenabled = false\n[notify.slack]\nchannel = "${CHANNEL}"\nbot_token_env = "BOT"\napp_token_env = "APP"\napi = "${url}"\n`;

/** Notifications with a played Slack, and Ann paired. */
export async function createSlackStage({ more = "", pair = true }: { more?: string; pair?: boolean } = {}) {
  const service = createSlackService();
  const stage = createStage({ env: { BOT: BOT_TOKEN, APP: APP_TOKEN } });
  stage.config(settings(service, more));
  if (pair) await pairWith(stage, service);
  const questions = () => [...service.posted.values()].filter(({ metadata }) => metadata);
  return {
    service,
    stage,
    /** What was posted about questions. */
    questions,
    open: () => questions().filter((message) => elementsIn(message).length > 0),
    /** The one about this, once it can be answered. */
    question: (words = "") =>
      eventually((): Posted => {
        const found = questions().find((each) => elementsIn(each).length > 0 && textIn(each).includes(words));
        if (!found) throw new Error(`nothing can be pressed: ${JSON.stringify(questions())}`);
        return found;
      }),
    says: (message: Posted, words: string) =>
      eventually(() => {
        if (!textIn(message).includes(words)) throw new Error(`does not say "${words}": ${textIn(message)}`);
      }),
    press: (message: Posted, label: string, given: Parameters<SlackService["press"]>[3] & { user?: string } = {}) =>
      service.press(given.user ?? ANN, message.ts, buttonIn(message, label), given),
    /** The envelope is acknowledged; with what. */
    acked: (id: string) =>
      eventually(() => {
        const ack = service.acks.get(id);
        if (!ack) throw new Error("not acknowledged");
        return ack;
      }),
    whispered: (words: string) =>
      eventually(() => {
        const found = service.whispers.find(({ text }) => text.includes(words));
        if (!found) throw new Error(`nobody was told "${words}": ${JSON.stringify(service.whispers)}`);
        return found;
      }),
    /** Presses the button that opens the form, until it is open. */
    async form(message: Posted, label: string, user = ANN) {
      const before = service.views.length;
      service.press(user, message.ts, buttonIn(message, label));
      await eventually(() => {
        if (service.views.length === before) throw new Error("no form was opened");
      });
      return service.views.at(-1)?.view as { blocks: { block_id?: string; type: string }[] };
    },
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

export async function pairWith(stage: Stage, service: SlackService, user = ANN): Promise<void> {
  const { code } = await stage.notifications.pair("slack");
  await submitCode(service, user, code);
  await eventually(() => {
    if (!stage.notifications.pairs().pairs.some(({ id }) => id.endsWith(`:${user}`))) throw new Error("not paired yet");
  });
}

/** Presses *Pair* under what was posted last, and types the code. */
export async function submitCode(service: SlackService, user: string, code: string): Promise<string> {
  const before = service.views.length;
  const offer = await eventually((): Posted => {
    const found = [...service.posted.values()].findLast((each) =>
      elementsIn(each).some(({ value }) => value === "pair"),
    );
    if (!found) throw new Error("nothing to pair with");
    return found;
  });
  service.press(user, offer.ts, buttonIn(offer, "Pair"));
  await eventually(() => {
    if (service.views.length === before) throw new Error("no form was opened");
  });
  return service.submit(user, { code: { value: code } });
}

export function buttonIn(message: Posted, label: string): Element {
  const found = elementsIn(message).find(({ text }) => text?.text.includes(label));
  if (!found) throw new Error(`no button "${label}" in ${JSON.stringify(elementsIn(message))}`);
  return found;
}

/** All its words. */
export function textIn({ blocks, text }: Pick<Posted, "blocks" | "text">): string {
  const words: string[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (typeof value !== "object" || value === null) return;
    for (const [name, each] of Object.entries(value)) {
      if (name === "text" && typeof each === "string") words.push(each);
      else if (name !== "accessory") look(each);
    }
  };
  look(blocks.filter(({ type }) => type !== "actions"));
  return words.length > 0 ? words.join("\n") : text;
}
