import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { configPath } from "../../src/machine/settings/config-file.ts";
import { desktopTest } from "../e2e/notify-desktop.ts";
import { createProgram } from "../e2e/program.ts";
import { eventually } from "../patience.ts";
import { createAutopush, isFirefoxMissing, openFirefox } from "./firefox.ts";

const skip = isFirefoxMissing || process.env["PARLEY_TEST_VERSIONS"] !== "all";
const SETTINGS =
  "[notify]\nafter_seconds = 0\n[notify.desktop]\nenabled = false\n[notify.push]\ntext = true\nprivate_services = true\n";

desktopTest(
  "[DK20] a push that a real Firefox shows on a real desktop: the press of its button there answers the question, and it goes",
  async (desktop) => {
    const autopush = createAutopush();
    const program = createProgram();
    const file = configPath({ HOME: program.user }, program.user);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, SETTINGS);
    await program.start();
    const firefox = await openFirefox(autopush, desktop.env);
    try {
      await firefox.takePushes(program, "Fox");
      const question = { question: "Which database?", header: "Storage", multiSelect: false };
      const options = ["SQLite", "Postgres"].map((label) => ({ label, description: label }));
      const body = { questions: [{ ...question, options }], origin: { agent: "script" } };
      const { id } = await program.client("agent").call("createAsk", { body });
      await eventually(() => expect(desktop.displayed()).toBe(1));
      expect(await desktop.press("Postgres")).toEqual(expect.arrayContaining(["SQLite", "Postgres"]));
      await eventually(async () =>
        expect((await program.client().call("getAsk", { id })).outcome).toMatchObject({
          answers: [{ picks: [1] }],
          actor: { surface: "push", name: "Fox" },
        }),
      );
      await eventually(() => expect(desktop.displayed()).toBe(0));
    } finally {
      await firefox.stop();
      await autopush.stop();
      await program.dispose();
    }
  },
  skip ? "npm run soak -- agents push-desktop plays it, where Firefox is" : undefined,
);
