import { useEffect, useState } from "preact/hooks";
import { problemLine } from "../../../../core/words/problem-line.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { call } from "../api.ts";

const EVERY_MS = 5000;

/** What is wrong in the person's settings, above everything else. No event tells of a file that was edited. */
export function Mistakes() {
  const [lines, setLines] = useState<readonly string[]>([]);
  useEffect(() => {
    const look = () =>
      void call("config").then(
        ({ problems }) => setLines(problems.map(problemLine)),
        () => undefined,
      );
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (lines.length === 0) return null;
  return (
    <div class="mistakes" role="alert">
      {lines.map((line) => (
        <p>✗ {safeLine(line, { max: 600 })}</p>
      ))}
      <p class="dim">Settings with mistakes are ignored; the rest applies.</p>
    </div>
  );
}
