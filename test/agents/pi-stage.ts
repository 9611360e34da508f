import { join } from "node:path";
import { createPiLab, type PiLab } from "../../src/agents/pi/lab/pi-lab.ts";
import type { Say } from "../../src/lab/model.ts";
import { eachOf } from "./each-version.ts";
import { type LabStage, openLabStage } from "./lab-stage.ts";

export const PI_VERSIONS = ["0.73.1"] as const;

/** The one that the tests of the tool run too. */
export const piProgram = (_version: string): string => join(import.meta.dir, "../hosts/node_modules/.bin/pi");

export const eachPi = eachOf({ title: "pi", versions: PI_VERSIONS, programOf: piProgram });

export type PiStage = LabStage<PiLab>;

export const openPiStage = (version: string, script: Record<string, Say[]>): Promise<PiStage> =>
  openLabStage(script, ({ model, setUp }) =>
    createPiLab({
      program: piProgram(version),
      model,
      env: { PARLEY_PORT: "0" },
      prepare: ({ home, project }) => setUp(["pi"], { env: { HOME: home }, cwd: project }),
    }),
  );
