type LineKind = "added" | "removed" | "place";

/** A change, whose lines have a colour each. `isCall`: what a call would change may also only take lines away. */
export function isDiff(text: string, isCall = false): boolean {
  if (/^@@ .* @@/m.test(text) || (/^--- /m.test(text) && /^\+\+\+ /m.test(text))) return true;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return (isCall || lines.some((line) => line.startsWith("+"))) && lines.every((line) => /^[-+…]/.test(line));
}

/** Contract: of a text that is a diff. */
export function diffLineKind(line: string): LineKind | undefined {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("@@") ? "place" : undefined;
}
