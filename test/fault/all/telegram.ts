import { createClient } from "../../../src/client/client.ts";
import { holds } from "../../e2e/program.ts";
import { tokenFile, writeSettings } from "../../messengers/kill-at.ts";
import { createTelegramService, TOKEN } from "../../messengers/telegram-service.ts";
import { chatArea } from "./chat.ts";

const ANN = 4242;

export const telegram = chatArea("telegram", 8, async (program) => {
  const service = createTelegramService();
  const token = tokenFile(program, "bot-token", TOKEN);
  writeSettings(program, `[notify.telegram]\ntoken_file = "${token}"\napi = "${service.url}"\n`);
  await program.start();
  const client = createClient(program.paths, { wakes: false });
  const { code } = await client.call("notifyPair", { body: { messenger: "telegram" } });
  service.write(ANN, code);
  const isPaired = await holds(() => service.shown(ANN).some(({ text }) => text.includes("Paired.")));
  if (!isPaired) throw new Error("nobody was paired");
  const open = (words: string) =>
    service.shown(ANN).filter(({ text, buttons }) => text.includes(words) && buttons.length > 0);
  return {
    whenCalled: (look) =>
      service.whenCalled(async (method) => {
        if ((await look()) === "cut-before") service.fault(method, "cut-before");
      }),
    open: (text) => open(text).length,
    // The service keeps it until it was fetched.
    press: async (text, label) => (service.press(ANN, open(text)[0]?.id ?? 0, label), "kept"),
    close: () => service[Symbol.asyncDispose](),
  };
});
