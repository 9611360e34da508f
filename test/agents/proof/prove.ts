import { afterAll } from "bun:test";
import { join } from "node:path";
import { AGENTS, type Case, CASES, type Run, storeRun } from "../../../scripts/proof.ts";
import type { Say } from "../../../src/lab/model.ts";
import { eachOf } from "../each-version.ts";
import { PLAYED } from "./cases.ts";
import type { Driven, Driver } from "./driver.ts";
import { GAPS } from "./gaps.ts";
import { createScene } from "./scene.ts";

const SEED = Number(process.env["PARLEY_PROOF_SEED"] ?? Date.now() % 2 ** 31);
/** `npm run soak -- agents --write`: what was seen becomes what is shown. */
const WRITES = process.env["PARLEY_PROOF"] === "write";

/** Every case of the table with one agent, which goes on after each; after a failure, and after its death, another. */
export function prove(rule: string, driver: Driver): void {
  const { agent, version, program } = driver;
  eachOf({ title: AGENTS[agent], versions: [version], programOf: () => program })("proof", ({ rest }) => {
    const script: Record<string, Say[]> = {};
    let opened: Promise<Driven> | undefined;
    const close = async () => {
      const driven = opened;
      opened = undefined;
      await (await driven?.catch(() => undefined))?.[Symbol.asyncDispose]();
    };
    afterAll(close);
    const names = Object.keys(CASES) as Case[];
    // Whoever asks only for leave asks no more after that.
    if (driver.onlyLeave) names.push(...names.splice(names.indexOf("always"), 1));
    for (const [i, name] of names.entries()) {
      const isPartly = name === "deny" && driver.wordsKept;
      if (GAPS[agent]?.[name] !== undefined && !isPartly) continue;
      rest(`${rule}: ${CASES[name]}`, async () => {
        const driven = await (opened ??= driver.open(script));
        const seed = (SEED + i) % 2 ** 31;
        const scene = createScene(driver, driven, script, name, seed);
        try {
          await PLAYED[name](scene);
          if (name !== "killed") await driven.idle();
          if (WRITES) storeRun({ case: name, agent, version, seed, ...now(), ...scene.noted });
        } catch (failure) {
          const screen = await driven.screen().catch(() => "");
          await close();
          throw new Error(
            `${String(failure)}\nseed ${seed}\n${JSON.stringify(scene.noted).slice(0, 3000)}\n${screen}`,
            {
              cause: failure,
            },
          );
        }
        if (name === "killed" || name === "hostile") await close();
      });
    }
  });
}

function now(): Pick<Run, "date" | "commit"> {
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", ...args], { cwd: join(import.meta.dir, "../../..") })
      .stdout.toString()
      .trim();
  const isChanged = git("status", "--porcelain", "src") !== "";
  const commit = `${git("rev-parse", "--short", "HEAD")}${isChanged ? " with changes" : ""}`;
  return { date: new Date().toISOString().slice(0, 10), commit };
}
