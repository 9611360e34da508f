import { afterAll, beforeAll, expect, test } from "bun:test";
import { createProgram, type Program } from "../e2e/program.ts";
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

test.each([
  [110, 30],
  [40, 10],
])(
  "[HO62] the inbox, its dialog and its lists let nothing hostile reach the terminal (%i by %i)",
  async (columns, rows) => {
    await using opened = onScreen(program, { columns, rows, args: ["inbox"] });
    await opened.shows(/Wait(ing)? \d/);
    for (const _ of horrors.ids) {
      opened.press("j");
      await guardOver();
      opened.press("\r");
      await guardOver();
      // Down the options, to the preview, and out again; whatever is filled in is thrown away.
      for (const key of ["j", "p", "p", "\u001b", "\u001b", "\u001b"]) {
        opened.press(key);
        await Bun.sleep(60);
      }
    }
    for (const key of ["\t", "j", "\t", "j", "?", "q", "q"]) {
      opened.press(key);
      await Bun.sleep(100);
    }
    expect((await opened.ended()).code).toBe(0);
    const bytes = Buffer.from(opened.raw(), "latin1").toString("utf8");
    expect(bytes).toContain("live");
    expectSafe(bytes.replace(OWN, "").replaceAll("\r\n", "\n").replaceAll("\r", ""), "the inbox");
  },
);
