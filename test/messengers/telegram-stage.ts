import { eventually } from "../patience.ts";
import { createStage, type Stage } from "../e2e/notify-stage.ts";
import { createTelegramService, type Shown, TOKEN, type TelegramService } from "./telegram-service.ts";

export const ANN = 4242;
export const settings = ({ url }: TelegramService, more = "") =>
  `[notify]\n${more.includes("after_seconds") ? "" : "after_seconds = 0\n"}${more}\n[notify.telegram]\ntoken_env = "BOT"\napi = "${url}"\n`;

export type TelegramStage = Stage & { service: TelegramService };

/** Notifications with a played Telegram, and Ann paired with the bot. */
export async function createTelegramStage({
  more = "",
  pair = true,
  env = {},
}: { more?: string; pair?: boolean; env?: Record<string, string> } = {}) {
  const service = createTelegramService();
  const stage = createStage({ env: { ...env, BOT: TOKEN } });
  stage.config(settings(service, more));
  if (pair) await pairWith(stage, service);
  return {
    service,
    stage,
    /** The one message about an Ask, once it can be answered. */
    question: () =>
      eventually((): Shown => {
        const shown = service.shown(ANN).find(({ buttons }) => buttons.length > 0);
        if (!shown) throw new Error(`nothing can be pressed: ${JSON.stringify(service.shown(ANN))}`);
        return shown;
      }),
    /** A message, once it says so. */
    says: (id: number, words: string) =>
      eventually((): Shown => {
        const shown = service.messages.get(`${ANN}:${id}`);
        if (!shown?.text.includes(words)) throw new Error(`does not say "${words}": ${JSON.stringify(shown)}`);
        return shown;
      }),
    told: (query: string) =>
      eventually((): string => {
        const { text } = service.queries.get(query) ?? {};
        if (text === undefined) throw new Error("the press was not answered");
        return text;
      }),
    /** What was said in reply to a message of hers. */
    reply: (message: number) =>
      eventually((): string => {
        const found = service.shown(ANN).findLast(({ replyTo }) => replyTo === message);
        if (!found) throw new Error("no reply");
        return found.text;
      }),
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

export async function pairWith(stage: Stage, service: TelegramService, user = ANN, name = "Ann"): Promise<void> {
  const { code } = await stage.notifications.pair("telegram");
  service.write(user, `/start ${code}`, { name });
  await eventually(() => {
    if (!stage.notifications.pairs().pairs.some(({ id }) => id === String(user))) throw new Error("not paired yet");
    if (!service.shown(user).some(({ text }) => text.startsWith("Paired."))) throw new Error("not told so yet");
  });
}
