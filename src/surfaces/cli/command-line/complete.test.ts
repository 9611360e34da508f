import { expect, test } from "bun:test";
import { complete } from "./complete.ts";

const sources = {
  ask: async () => [{ value: "k3x9q2", text: "Which database?" }],
  task: async () => [{ value: "t1abcd", text: "db" }],
};
const values = async (...words: string[]): Promise<string | string[]> => {
  const found = await complete(words, sources);
  return found === "file" ? found : found.map(({ value }) => value);
};

test.each([
  [["de"], ["decisions", "decision"]],
  [["nonsense", ""], []],
  [["--"], ["--help", "--version"]],
  [["help", "autop"], ["autopilot"]],
  [["help", "task", "re"], ["retry"]],
  [["task", "re"], ["retry"]],
  [["task", "fly", ""], []],
  [["task", "show", ""], ["t1abcd"]],
  [["task", "cancel", "t1abcd", ""], ["t1abcd"]],
  [["show", "k"], ["k3x9q2"]],
  [["show", "k3x9q2", ""], []],
  [["answer", "-m", "words", ""], ["k3x9q2"]],
  [["answer", "--dec"], ["--decline"]],
  [["answer", "--decline", "--dec"], []],
  [["answer", "-m", "a", "--mes"], ["--message"]],
  [["up", ""], []],
  [
    ["serve", "--"],
    ["--json", "--help"],
  ],
  [["ls", "--state", "o"], ["open"]],
  [["ls", "--state=o"], ["--state=open"]],
  [["ls", "--state", "=", "o"], ["open"]],
  [
    ["logs", "--level", "="],
    ["debug", "info", "warn", "error"],
  ],
  [["ls", "--limit", ""], []],
  [["notify", "test", "--channel", "n"], ["ntfy"]],
  [["autopilot", "--json", "pau"], ["pause"]],
  [["autopilot", "trust", "--", "--"], "file"],
  [["run", "--cwd", ""], "file"],
  [["restore", ""], "file"],
])("[CM20] %j offers %j", async (words, offers) => {
  expect(await values(...words)).toEqual(offers);
});

test("[CM21] what is offered says what it means", async () => {
  expect(await complete(["show", ""], sources)).toEqual([{ value: "k3x9q2", text: "Which database?" }]);
  expect(await complete(["ls", "--done"], sources)).toEqual([
    { value: "--done", text: "settled ones, the last one first, with what happened" },
  ]);
});
