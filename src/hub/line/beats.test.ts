import { expect, test } from "bun:test";
import { createBeats } from "./beats.ts";

test("[HF6] machines that only beat are written down together, then each is answered or ended", async () => {
  const kept: string[][] = [];
  const said: string[] = [];
  let isAway = false;
  const beats = createBeats<string>({
    linkOf: (line) => line,
    async keep(links) {
      if (isAway) throw new Error("away");
      kept.push([...links]);
      return new Set(links.filter((link) => link !== "replaced"));
    },
    done: (line, counts) => said.push(`${line} ${counts}`),
    failed: (line, error) => said.push(`${line} ${String(error)}`),
  });
  for (const line of ["a", "replaced", "b", "a"]) beats.add(line);
  expect(said).toEqual([]);
  await beats.flush();
  expect(kept).toEqual([["a", "replaced", "b"]]);
  expect(said.splice(0)).toEqual(["a true", "replaced false", "b true"]);
  await beats.flush();
  expect(kept.length).toBe(1);
  isAway = true;
  beats.add("a");
  await beats.flush();
  expect(said).toEqual(["a Error: away"]);
  beats.stop();
});
