import { expect, test } from "bun:test";
import { type Heard, judgeRecords, type Line } from "./all/heard.ts";

const user = (content: NonNullable<Line["message"]>["content"]): Line => ({ type: "user", message: { content } });
const prompt = user('[{"say":"Done."}]');
const result = (key: string, content: string, is_error = false): Line =>
  user([{ type: "tool_result", tool_use_id: key, content, is_error }]);
const answer = result("k1", '"Which?"="Postgres"');
const told = user("Answer to …\n\n[parley a1]");
const ran = result("k2", "ok");
const asked = { id: "a1", origin: { session: "s1" }, deliveries: [{ key: "k1" }] };
const session = (name: string, ...lines: Line[]): Heard => ({ session: name, lines });

test("[LO1] an answer is heard as the result of the call or in words to the resumed session; once, and not never", () => {
  const found = (...sessions: Heard[]) => judgeRecords("t", sessions, [asked]);
  const right = { lost: [], doubled: [] };
  expect(found(session("s1", prompt, answer, ran))).toEqual(right);
  expect(found(session("s1", prompt, told, ran))).toEqual(right);
  const withWords = user('[{"say":"Done."}]\n\nAnswer to …\n\n[parley a1]');
  expect(found(session("s1", prompt), session("s2", withWords, ran))).toEqual(right);

  const lost = ["task t: the answer to a1 is in no record", "task t: no answer"];
  expect(found(session("s1", prompt, ran))).toEqual({ lost, doubled: [] });
  expect(found(session("s1", prompt, result("k1", "Not now", true), ran))).toEqual({ lost, doubled: [] });
  expect(found(session("s1", prompt, answer), session("s2", prompt, ran)).lost).toEqual(["task t: no answer"]);
  expect(found(session("s1", prompt, answer)).lost).toEqual(["task t: no ran"]);
  expect(found(session("s1", prompt, answer, told, ran)).doubled).toEqual(["task t: the answer to a1 2 times"]);
  expect(found(session("s1", prompt, answer, ran, ran)).doubled).toEqual(["task t: ran 2 times in s1"]);
});
