import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PATIENCE_MS, runs } from "./fuzz.ts";
import { FOUND } from "./parsers/campaign.ts";
import { DOORS } from "./parsers/doors.ts";
import { doorNamed, type Finding, playDoor, wrongIn } from "./parsers/play.ts";

const { seed = 1, numRuns = 1 } = runs(60);

test.each(DOORS.map(({ name }) => name))(
  "[PW10] %s: recorded messages bent in any way are read or passed over, settle nothing that they do not name, and cost work by their length",
  async (name) => {
    const { found, inputs } = await playDoor(doorNamed(name), seed, numRuns);
    expect(found).toBeUndefined();
    expect(inputs).toBeGreaterThanOrEqual(numRuns);
  },
  PATIENCE_MS,
);

test("[PW11] what was once found stays mended", async () => {
  for (const file of readdirSync(FOUND).filter((name) => name.endsWith(".json"))) {
    const { door, values } = JSON.parse(readFileSync(join(FOUND, file), "utf8")) as Finding;
    expect([file, await wrongIn(doorNamed(door), values)]).toEqual([file, undefined]);
  }
});
