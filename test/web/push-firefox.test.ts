import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { configPath } from "../../src/machine/settings/config-file.ts";
import { createProgram } from "../e2e/program.ts";
import { eventually } from "../patience.ts";
import { createAutopush, isFirefoxMissing, openFirefox } from "./firefox.ts";

const skip = isFirefoxMissing || process.env["PARLEY_TEST_VERSIONS"] !== "all";
const SETTINGS =
  "[notify]\nafter_seconds = 0\n[notify.desktop]\nenabled = false\n[notify.push]\ntext = true\nprivate_services = true\n";
const NOTIFICATIONS =
  "navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.map((n) => [n.tag, n.actions.map((a) => a.title)]))";

test.skipIf(skip)(
  `[WP40] a real Firefox subscribes, decrypts what is pushed to it, shows it with its buttons, and takes it away again${skip ? " (skipped: npm run soak -- agents push-firefox plays it, where Firefox is)" : ""}`,
  async () => {
    const autopush = createAutopush();
    const program = createProgram();
    const file = configPath({ HOME: program.user }, program.user);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, SETTINGS);
    await program.start();
    const firefox = await openFirefox(autopush);
    try {
      await firefox.takePushes(program, "Fox");
      const question = { question: "Which database?", header: "Storage", multiSelect: false };
      const options = ["SQLite", "Postgres"].map((label) => ({ label, description: label }));
      const body = { questions: [{ ...question, options }], origin: { agent: "script" } };
      const { id } = await program.client("agent").call("createAsk", { body });
      await eventually(async () => expect(await firefox.run(NOTIFICATIONS)).toEqual([[id, ["SQLite", "Postgres"]]]));
      await program.parley(["answer", id, "SQLite"]);
      await eventually(async () => expect(await firefox.run(NOTIFICATIONS)).toEqual([]));
      // Firefox says so itself: delivered, decrypted, its worker ended well.
      const acks = autopush.said.filter(({ messageType }) => messageType === "ack");
      expect(acks.flatMap(({ updates }) => updates as { code: number }[]).map(({ code }) => code)).toEqual([100, 100]);
    } finally {
      await firefox.stop();
      await autopush.stop();
      await program.dispose();
    }
  },
);
