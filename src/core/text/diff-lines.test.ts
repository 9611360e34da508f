import { expect, test } from "bun:test";
import { isDiff } from "./diff-lines.ts";

test.each([
  ["a patch", "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y", true],
  ["a hunk", " a\n@@ -1,2 +1 @@ f()\n-x", true],
  ["what an edit changes", "- old\n+ new", true],
  ["a new file", "+ a\n+ \n+ b", true],
  ["a list", "- first\n- second", false],
  ["a list after words", "Steps:\n- first\n+ more", false],
  ["a drawing", "+---+\n| a |\n+---+", false],
  ["options of a command", "-v  verbose\n-q  quiet", false],
])("[VB20] %s has the colours of a diff or not", (_, text, is) => expect(isDiff(text)).toBe(is));

test("[VB20] a call that only takes lines away is one too", () => expect(isDiff("- gone\n- too", true)).toBe(true));
