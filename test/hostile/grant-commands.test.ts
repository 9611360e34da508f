import { expect, test } from "bun:test";
import { compareWithShells } from "./grant-commands.ts";

test("[GR9] of thousands of generated commands none that a grant decides is run by bash or zsh with other words, nor matched wider than shown", async () => {
  const { commands, decided, matched, wider } = await compareWithShells(6000, Number(process.env["FUZZ_SEED"]) || 4747);
  expect(wider).toEqual([]);
  expect([commands, decided > commands / 10, matched > 100]).toEqual([6000, true, true]);
});
