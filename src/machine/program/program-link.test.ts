import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkProgram, programLink } from "./program-link.ts";

let root: string;
let program: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-link-"));
  program = join(root, "state/bin/parley");
  mkdirSync(join(root, "state/bin"), { recursive: true });
  writeFileSync(program, "#!/bin/sh\n");
  chmodSync(program, 0o755);
});
afterEach(() => rmSync(root, { recursive: true }));
const look = (PATH: string) => programLink(program, { HOME: root, PATH });

test("[FM1] the link and its folder are made where they are missing, and found on the PATH from then on", () => {
  const path = join(root, ".local/bin/parley");
  expect(look("/usr/bin")).toEqual({ path, state: "missing" });
  linkProgram(program, path);
  expect(readlinkSync(path)).toBe(program);
  expect(look("/usr/bin")?.state).toBe("hidden");
  expect(look(join(root, ".local/bin"))?.state).toBe("found");
});

test("[FM2] only a link that leads nowhere is replaced", () => {
  const path = join(root, ".local/bin/parley");
  linkProgram(join(root, "gone"), path);
  expect(look("/usr/bin")?.state).toBe("missing");
  linkProgram(program, path);
  rmSync(path);
  writeFileSync(path, "somebody else's");
  expect(look("/usr/bin")?.state).toBe("taken");
  expect(() => linkProgram(program, path)).toThrow("EEXIST");
});
