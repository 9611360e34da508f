import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient } from "../../../src/client/client.ts";
import { question } from "../../e2e/api-request.ts";
import { createProgram, holds } from "../../e2e/program.ts";
import { createTelegramService, TOKEN } from "../../messengers/telegram-service.ts";
import { eventually } from "../../patience.ts";
import { labelOf } from "../truth.ts";
import { type Area, killed, nothing } from "./area.ts";
import { isUp, whenUp } from "./strike.ts";

const ANN = 4242;
const METHODS = ["sendMessage", "editMessageText", "editMessageReplyMarkup", "answerCallbackQuery", "getUpdates"];
const QUESTIONS = 12;

/** Questions that are answered in a played Telegram, while the daemon dies in the middle of its calls. */
export const telegram: Area = {
  name: "telegram",
  async play(random) {
    const round = nothing();
    const [program, service] = [createProgram(), createTelegramService()];
    const token = join(program.user, "bot-token");
    writeFileSync(token, `${TOKEN}\n`, { mode: 0o600 });
    const file = join(program.user, ".config/parley/config.toml");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      `[notify]\nafter_seconds = 0\n[notify.desktop]\nenabled = false\n[notify.telegram]\ntoken_file = "${token}"\napi = "${service.url}"\n`,
    );
    const client = () => createClient(program.paths, { wakes: false });
    try {
      await program.start();
      const { code } = await client().call("notifyPair", { body: { messenger: "telegram" } });
      service.write(ANN, code);
      const isPaired = await holds(() => service.shown(ANN).some(({ text }) => text.includes("Paired.")));
      if (!isPaired) throw new Error("nobody was paired");
      let striking: string | undefined;
      service.whenCalled(async (method) => {
        if (method !== striking) return;
        striking = undefined;
        if (random() < 0.5) service.fault(method, "cut-before");
        await program.kill9();
        killed(round, "daemon");
      });
      for (let i = 0; i < QUESTIONS; i++) {
        const text = `Question ${i} of ${crypto.randomUUID().slice(0, 8)}?`;
        const agent = createClient(program.paths, { as: "agent", wakes: false });
        const body = { questions: [{ ...question(), question: text }] };
        const idempotencyKey = crypto.randomUUID();
        const { id } = await whenUp(program, () => agent.call("createAsk", { body, idempotencyKey }));
        round.asks++;
        const isOpen = () =>
          service.shown(ANN).filter((shown) => shown.text.includes(text) && shown.buttons.length > 0);
        striking = METHODS[Math.floor(random() * METHODS.length)];
        const found = await eventually(async () => {
          await isUp(program);
          const [shown] = isOpen();
          if (!shown) throw new Error(`${text} is not shown`);
          return shown;
        });
        service.press(ANN, found.id, "PostgreSQL");
        round.answers++;
        await eventually(async () => {
          await isUp(program);
          const ask = await client().call("getAsk", { id });
          if (!ask.outcome) throw new Error(`${text} was pressed, and is ${ask.state}`);
          if (labelOf(ask, ask.outcome) !== "PostgreSQL") round.untrue.push(`${text}: ${JSON.stringify(ask.outcome)}`);
        }).catch((error: Error) => round.lost.push(error.message));
        striking = undefined;
        // A message whose sending was cut may be there twice; none of them can be pressed any more.
        await eventually(async () => {
          await isUp(program);
          if (isOpen().length > 0) throw new Error(`${text} can still be pressed`);
        }).catch((error: Error) => round.untrue.push(error.message));
        const read = () => client().call("readLog", { query: { ask: id, limit: 1000 } });
        const { events } = await whenUp(program, read);
        const settled = events.filter(({ type }) => type === "ask.settled").length;
        if (settled > 1) round.doubled.push(`${text}: settled ${settled} times`);
      }
      return round;
    } finally {
      service.whenCalled(() => undefined);
      await program.dispose();
      await service[Symbol.asyncDispose]();
    }
  },
};
