import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nameProcess } from "../machine/process/process.ts";
import { originOf } from "./origin.ts";

test.if(process.platform === "linux")(
  "[TL11] an asker names its process only to a daemon that can see it",
  async () => {
    const home = mkdtempSync(join(tmpdir(), "parley-origin-"));
    const tokens = { human: "h", agent: "a" };
    const askedOf = async (daemon: object) => {
      writeFileSync(join(home, "daemon.json"), JSON.stringify({ process: daemon, tokens }));
      return (await originOf({ agent: "mine", env: { PARLEY_HOME: home }, cwd: home })).process;
    };
    expect(await askedOf(nameProcess(process.pid))).toEqual(nameProcess(process.pid));
    // In another container its number is somebody else's here.
    expect(await askedOf({ pid: process.pid, started: "0" })).toBeUndefined();
    rmSync(home, { recursive: true });
  },
);
