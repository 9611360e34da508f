import { expect, test } from "bun:test";
import { createPlayer, createStream } from "./stream.ts";

test("[TU22] in a stream of workflow questions at least 97 of 100 automatic answers are the person's, and 5 of 100 go out", async () => {
  let [questions, answered, agreed, staked] = [0, 0, 0, 0];
  for (const seed of [1, 2, 3, 4, 5]) {
    const found = await createPlayer(createStream(seed, "plain").asks)({ needed: 5 });
    questions += found.questions;
    answered += found.answered.count;
    agreed += found.agreed.count;
    staked += found.staked;
  }
  expect(questions).toBe(1500);
  expect(agreed / answered).toBeGreaterThanOrEqual(0.97);
  expect(answered / questions).toBeGreaterThanOrEqual(0.05);
  expect(staked).toBe(0);
});
