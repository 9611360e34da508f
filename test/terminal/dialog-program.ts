/**
 * Opens the dialog and prints how it ended: `bun test/terminal/dialog-program.ts '{"questions":[{"text":"Which?"}]}'`.
 * `@file` reads the JSON from a file. SIGUSR2 makes it do what `trouble` says, as a host around the dialog might.
 */
import { readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { Question } from "../../src/core/ask/question.ts";
import { openDialog } from "../../src/dialog/open-dialog.ts";

const [, , input = "{}"] = process.argv;
const { questions, trouble, survive, readline, ...options } = JSON.parse(
  input.startsWith("@") ? readFileSync(input.slice(1), "utf8") : input,
);
const say = (line: string) => void writeSync(1, `${line}\n`);
const abort = new AbortController();
let conclude: (line: string) => void = () => {};

const TROUBLE: Record<string, () => void> = {
  throw: () => {
    throw new Error("thrown by the host");
  },
  reject: () => void Promise.reject(new Error("rejected by the host")),
  exit: () => process.exit(7),
  abort: () => abort.abort(),
  conclude: () => conclude("Answered on the web page by Ada: SQLite"),
};
process.on("SIGUSR2", () => TROUBLE[String(trouble)]?.());
if (survive) process.on(survive, () => say(`host: ${survive}`));
const host = readline ? createInterface({ input: process.stdin, output: process.stdout }) : undefined;
host?.on("line", (line) => (line === "bye" ? host.close() : say(`host line: ${line}`)));

if (trouble === "abort at once") setTimeout(() => abort.abort());

say("before the dialog");
const end = await openDialog({
  ...options,
  questions: Question.array().parse(questions),
  signal: abort.signal,
  conclude: (settled) => (conclude = settled),
});
say(JSON.stringify(end));
