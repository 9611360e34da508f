import { afterAll, beforeAll, expect, test } from "bun:test";
import { createProgram, holds, type Program } from "../e2e/program.ts";
import { guardOver, onScreen } from "../terminal/inbox-stage.ts";
import { expectSafe } from "./corpus.ts";
import { fill, type Horrors } from "./inbox-of-horrors.ts";

let program: Program;
let horrors: Horrors;
beforeAll(async () => {
  program = createProgram();
  await program.start();
  horrors = await fill(program);
});
afterAll(async () => {
  await horrors.held.hangsUp().catch(() => undefined);
  await program.dispose();
});

/** What the program itself sends to draw: cursor, colours, modes, the end of any link, and one question about the background. */
const OWN = /\u001b\[[\d;:?<>=]*[ !]*[@-~]|\u001b\](?:11;\?|8;;)\u0007/g;

/** As terminals say it that tell it apart from the beginning of another key. */
const ESCAPE = "\u001b[27u";

test.each([
  [110, 30],
  [40, 10],
])(
  "[HO62] the inbox, its dialog and its lists let nothing hostile reach the terminal (%i by %i)",
  async (columns, rows) => {
    await using opened = onScreen(program, { columns, rows, args: ["inbox"] });
    await opened.shows(/Wait(ing)? \d/);
    // Ctrl+L draws everything anew: then the keys before it have been taken.
    const drawn = () => opened.raw().split("\u001b[?1049h").length;
    const press = async (key: string) => {
      const before = drawn();
      opened.press(`${key}\u000c`);
      expect(await holds(() => drawn() > before)).toBe(true);
    };
    for (const _ of horrors.ids) {
      await press("j");
      await press("\r");
      await guardOver();
      // Down the options, to the preview, and out again; whatever is filled in is thrown away.
      for (const key of ["j", "p", "p", ESCAPE, ESCAPE, ESCAPE]) await press(key);
    }
    for (const key of ["\t", "j", "\t", "j", "?", "q"]) await press(key);
    opened.press("q");
    expect((await opened.ended()).code).toBe(0);
    const bytes = Buffer.from(opened.raw(), "latin1").toString("utf8");
    expect(bytes).toContain("live");
    expectSafe(bytes.replace(OWN, "").replaceAll("\r\n", "\n").replaceAll("\r", ""), "the inbox");
  },
);
