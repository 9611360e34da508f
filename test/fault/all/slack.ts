import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient } from "../../../src/client/client.ts";
import { question } from "../../e2e/api-request.ts";
import { createProgram } from "../../e2e/program.ts";
import { APP_TOKEN, BOT_TOKEN, CHANNEL, createSlackService, elementsIn } from "../../messengers/slack-service.ts";
import { ANN, buttonIn, submitCode, textIn } from "../../messengers/slack-stage.ts";
import { eventually } from "../../patience.ts";
import { labelOf } from "../truth.ts";
import { type Area, killed, nothing } from "./area.ts";
import { isUp, whenUp } from "./strike.ts";

const METHODS = ["chat.postMessage", "chat.update", "apps.connections.open"];
const QUESTIONS = 12;

/** Questions that are answered in a played Slack, while the daemon dies in the middle of its calls. */
export const slack: Area = {
  name: "slack",
  async play(random) {
    const round = nothing();
    const [program, service] = [createProgram(), createSlackService()];
    const file = join(program.user, ".config/parley/config.toml");
    mkdirSync(dirname(file), { recursive: true });
    const places = Object.entries({ bot_token_file: BOT_TOKEN, app_token_file: APP_TOKEN }).map(([name, token]) => {
      const path = join(program.user, name);
      writeFileSync(path, `${token}\n`, { mode: 0o600 });
      return `${name} = "${path}"`;
    });
    const settings = `[notify.slack]\nchannel = "${CHANNEL}"\n${places.join("\n")}\napi = "${service.url}"\n`;
    writeFileSync(file, `[notify]\nafter_seconds = 0\n[notify.desktop]\nenabled = false\n${settings}`);
    const [client, agent] = [
      createClient(program.paths, { wakes: false }),
      createClient(program.paths, { as: "agent", wakes: false }),
    ];
    const open = (text: string) =>
      [...service.posted.values()].filter((each) => elementsIn(each).length > 0 && textIn(each).includes(text));
    try {
      await program.start();
      const { code } = await client.call("notifyPair", { body: { messenger: "slack" } });
      await submitCode(service, ANN, code);
      await eventually(async () => {
        if ((await client.call("notifyPairs")).pairs.length === 0) throw new Error("nobody was paired");
      });
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
        await isUp(program);
        striking = METHODS[Math.floor(random() * METHODS.length)];
        const key = crypto.randomUUID();
        const body = { questions: [{ ...question(), question: text }], origin: { project: "shop" } };
        const { id } = await eventually(async () => {
          await isUp(program);
          return agent.call("createAsk", { body, idempotencyKey: key });
        });
        round.asks++;
        const shown = await eventually(async () => {
          await isUp(program);
          const [found] = open(text);
          if (!found || service.lines.size === 0) throw new Error(`${text} cannot be pressed`);
          return found;
        });
        service.press(ANN, shown.ts, buttonIn(shown, "PostgreSQL"));
        round.answers++;
        await eventually(async () => {
          await isUp(program);
          const ask = await client.call("getAsk", { id });
          if (!ask.outcome) throw new Error(`${text} was pressed, and is ${ask.state}`);
          if (labelOf(ask, ask.outcome) !== "PostgreSQL") round.untrue.push(`${text}: ${JSON.stringify(ask.outcome)}`);
        }).catch((error: Error) => round.lost.push(error.message));
        await eventually(async () => {
          await isUp(program);
          if (open(text).length > 0) throw new Error(`${text} can still be pressed`);
        }).catch((error: Error) => round.untrue.push(error.message));
        striking = undefined;
        const read = () => client.call("readLog", { query: { ask: id, limit: 1000 } });
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
