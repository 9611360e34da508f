import { expect, test } from "bun:test";
import { escapeControls } from "./json-line.ts";

const STEERS = /[\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

test("[LD1] whatever character a line has, alone or among others, it is escaped when it steers, and else as it was", () => {
  for (let unit = 0x20; unit < 0x10000; unit++) {
    const character = String.fromCharCode(unit);
    for (const line of [character, `"é – …${character}…"`]) {
      const escaped = escapeControls(line);
      expect(STEERS.test(escaped)).toBe(false);
      expect(escaped === line).toBe(!STEERS.test(character));
    }
  }
});
