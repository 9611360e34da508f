import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Say } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import { args, askOf, ONE } from "./asking.ts";
import { createPiStage, type PiStage } from "./pi-stage.ts";
import { createScratchProject, missingHosts, type Scratch } from "./scratch.ts";
import { eventually, guardOver, TEST_MS, UNTIL_RECEIVED } from "../patience.ts";

if (missingHosts !== undefined && process.env["CI"] === "true") throw new Error(missingHosts);
setDefaultTimeout(TEST_MS);
const ask = (input: object, id = "toolu_ask"): Say => ({
  tool: "ask_user_question",
  id,
  input: input as Record<string, unknown>,
});
const SCRIPT = {
  one: [{ text: "One question." }, ask(ONE)],
  both: [{ text: "Two questions." }, ask(args())],
  twice: [ask(ONE, "toolu_1"), ask(args("Another?"), "toolu_2")],
  wrong: [
    ask({ questions: [{ ...ONE.questions[0], question: "No mark", header: "far too long a header" }] }, "toolu_wrong"),
  ],
};

let scratch: Scratch;
beforeAll(() => void (scratch = createScratchProject()));
afterAll(() => scratch[Symbol.dispose]());
const open = () => createPiStage(scratch, SCRIPT);

/** Sent again only after a time in which even a busy machine would have drawn. */
async function press({ tmux }: PiStage, key: string, shows: RegExp): Promise<void> {
  await guardOver();
  const look = async () => {
    if (shows.test(await tmux.screen())) return true;
    await tmux.keys(key);
    return poll(async () => (shows.test(await tmux.screen()) ? true : undefined), {
      timeoutMs: 10_000,
      failure: () => "",
    }).catch(() => undefined);
  };
  await poll(look, { failure: async () => `${key} did not show ${shows}:\n${await tmux.screen()}` });
}

describe.skipIf(missingHosts !== undefined)(
  `in pi${missingHosts === undefined ? "" : ` (skipped: ${missingHosts})`}`,
  () => {
    test("[PI1] the dialog is drawn in pi's own terminal, and its model reads the answers", async () => {
      await using pi = await open();
      await pi.open();
      await pi.prompt("SCENARIO:both");
      await pi.tmux.waitFor(/1\/2: Database/);
      await pi.tmux.waitFor(/ask_user_question 2 questions/);
      await press(pi, "Down", /❯ \( \) 2\. Postgres/);
      await press(pi, "Enter", /2\/2: Features/);
      await press(pi, "Space", /\[x\] 1\. Auth/);
      await press(pi, "Enter", /Features: Auth|Review/);
      await pi.tmux.keys("Enter");
      const { text, isError } = await pi.model.waitForToolResult("toolu_ask");
      expect(isError).toBe(false);
      expect(text).toBe(
        `Collected answers:\n- Database: Postgres\n- Features: Auth\n\nJSON:\n${JSON.stringify(
          { answers: { Database: "Postgres", Features: "Auth" } },
          null,
          2,
        )}`,
      );
      await eventually(() =>
        expect(pi.results()[0]?.details).toMatchObject({
          outcome: "answered",
          lossless: [{ picks: [1] }, { picks: [0] }],
        }),
      );
    });

    test("[PI2] with the daemon the first answer wins: the dialog closes and says who it was", async () => {
      await using pi = await open();
      await pi.program.start();
      await pi.open();
      await pi.prompt("SCENARIO:one");
      await pi.tmux.waitFor(/Provide your own answer/);
      const { id, agentTitle, origin } = await askOf(pi.program, undefined, ({ reachable }) => reachable);
      expect([agentTitle, origin.pane?.server]).toEqual(["pi", pi.tmux.socket]);
      const told = await pi.program.parley(["answer", id, "1"], { env: UNTIL_RECEIVED });
      expect(told.out).toStartWith('✓ pi received "SQLite"');
      await pi.tmux.waitFor((screen) => !screen.includes("Provide your own answer"));
      await pi.tmux.waitFor(/✓ pi received "SQLite"/);
      expect((await pi.model.waitForToolResult("toolu_ask")).text).toStartWith(
        "Collected answers:\n- Database: SQLite\n",
      );
    });

    test("[PI3] a second call while the dialog is open is rejected at once", async () => {
      await using pi = await open();
      await pi.open();
      await pi.prompt("SCENARIO:twice");
      await pi.tmux.waitFor(/ask_user_question dialog already open/);
      await pi.tmux.waitFor(/Which database\?/);
      await press(pi, "Enter", /DONE\. I got/);
      expect(await pi.model.waitForToolResult("toolu_1")).toMatchObject({ isError: false });
      const second = await pi.model.waitForToolResult("toolu_2");
      expect([second.isError, second.text]).toEqual([true, "ask_user_question dialog already open"]);
    });

    test("[PI4] cancelled and wrong calls are errors in words, with their outcome in pi's session", async () => {
      await using pi = await open();
      await pi.open();
      await pi.prompt("SCENARIO:one");
      await pi.tmux.waitFor(/Provide your own answer/);
      await press(pi, "Escape", /^(?!.*Provide your own answer)/s);
      const { isError, text } = await pi.model.waitForToolResult("toolu_ask");
      expect([isError, text]).toEqual([true, "AskUserQuestion cancelled by user"]);
      await pi.tmux.waitFor(/DONE\. I got/);
      await eventually(() =>
        expect(pi.results()[0]).toMatchObject({ isError: true, details: { outcome: "cancelled", answers: {} } }),
      );
      await pi.prompt("SCENARIO:wrong");
      const wrong = await pi.model.waitForToolResult("toolu_wrong");
      expect(wrong.isError).toBe(true);
      expect(wrong.text.split("\n")).toEqual([
        "Question must end with ?: far too long a header",
        "Header must be 1-12 characters: far too long a header",
      ]);
    });

    test("[PI5] without a terminal it is offered only when the daemon runs, and then answered there", async () => {
      await using pi = await open();
      const offered = () => pi.model.requests.at(-1)?.tools.map(({ name }) => name) ?? [];
      await pi.print("hello").exited;
      expect(offered()).toContain("bash");
      expect(offered()).not.toContain("ask_user_question");
      await pi.program.start();
      const headless = pi.print("SCENARIO:one");
      const { id } = await askOf(pi.program, undefined, ({ reachable }) => reachable);
      expect(offered()).toContain("ask_user_question");
      await pi.program.parley(["answer", id, "2"]);
      expect(await headless.stdout.text()).toContain("- Database: Postgres");
    });

    test("[PI6] a tool of that name that is there already is an error that names both", async () => {
      await using pi = await open();
      const theirs = join(pi.program.user, "theirs.js");
      writeFileSync(
        theirs,
        `export default (pi) => pi.registerTool({ name: "ask_user_question", label: "theirs", description: "theirs",
          parameters: { type: "object", properties: {} }, execute: async () => ({ content: [], details: {} }) });`,
      );
      await pi.open(["-e", theirs]);
      const screen = await pi.tmux.waitFor(/Two\s+tools\s+are\s+called\s+ask_user_question/);
      expect(screen.replaceAll(/\s+/g, "")).toContain(`oneof${theirs},oneofParley.Removeoneofthem.`);
      await pi.prompt("hello");
      await pi.tmux.waitFor(/OK\./);
      expect(pi.model.requests.at(-1)?.tools.filter(({ name }) => name === "ask_user_question").length).toBe(1);
    });
  },
);
