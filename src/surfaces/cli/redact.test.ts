import { expect, test } from "bun:test";
import { redact } from "./redact.ts";

const names = { "/home/ann": "~", ann: "<user>", box: "<host>" };
const hidden = (value: unknown) => redact(value, { names, keepText: false, salt: "s" });

test("[CF66] says how something happened, and of texts only how long they are", () => {
  expect(hidden({ type: "ask.sent", seq: 7, text: "secret", done: true })).toEqual({
    type: "ask.sent",
    seq: 7,
    text: expect.stringMatching(/^<6 characters, [0-9a-f]{1,8}>$/),
    done: true,
  });
});

test("[CF67] a text that is a field's name is hidden as well", () => {
  expect(JSON.stringify(hidden({ answers: { "Which one?": "A", Word: "B" } }))).not.toMatch(/Which|Word|"A"|"B"/);
});

test("[CF68] with the words kept, names are hidden in values and in fields, the longest first", () => {
  const kept = redact({ "Change /home/ann/x?": "ann on box" }, { names, keepText: true, salt: "s" });
  expect(kept).toEqual({ "Change ~/x?": "<user> on <host>" });
});
