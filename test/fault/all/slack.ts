import { createClient } from "../../../src/client/client.ts";
import { isAlive } from "../../../src/machine/process/process.ts";
import { holds } from "../../e2e/program.ts";
import { tokenFile, writeSettings } from "../../messengers/kill-at.ts";
import { APP_TOKEN, BOT_TOKEN, CHANNEL, createSlackService, elementsIn } from "../../messengers/slack-service.ts";
import { ANN, buttonIn, submitCode, textIn } from "../../messengers/slack-stage.ts";
import { eventually } from "../../patience.ts";
import { chatArea } from "./chat.ts";

export const slack = chatArea("slack", 8, async (program) => {
  const service = createSlackService();
  const places = Object.entries({ bot_token_file: BOT_TOKEN, app_token_file: APP_TOKEN }).map(
    ([name, token]) => `${name} = "${tokenFile(program, name, token)}"\n`,
  );
  writeSettings(program, `[notify.slack]\nchannel = "${CHANNEL}"\n${places.join("")}api = "${service.url}"\n`);
  await program.start();
  const client = createClient(program.paths, { wakes: false });
  const { code } = await client.call("notifyPair", { body: { messenger: "slack" } });
  await submitCode(service, ANN, code);
  await eventually(async () => {
    if ((await client.call("notifyPairs")).pairs.length === 0) throw new Error("nobody was paired");
  });
  const open = (text: string) =>
    [...service.posted.values()].filter((each) => elementsIn(each).length > 0 && textIn(each).includes(text));
  return {
    whenCalled: (look) =>
      service.whenCalled(async (method) => {
        if ((await look()) === "cut-before") service.fault(method, "cut-before");
      }),
    open: (text) => open(text).length,
    async press(text, label) {
      const [shown] = open(text);
      if (!shown || service.lines.size === 0) return "no";
      const { process: daemon } = program.registration();
      const envelope = service.press(ANN, shown.ts, buttonIn(shown, label));
      // It sends no press twice: what was not acknowledged is gone with its line.
      await holds(() => service.acks.has(envelope) || !isAlive(daemon));
      return service.acks.has(envelope) ? "kept" : "no";
    },
    close: () => service[Symbol.asyncDispose](),
  };
});
