import type { AgentLab } from "../../capability/lab.ts";
import { runRace } from "../../live-race.ts";
import { versionIn } from "../version.ts";
import { createPiLab } from "./pi-lab.ts";
import { waitForQuestion } from "./screen.ts";

export const runLive: AgentLab["runLive"] = (options) =>
  runRace(
    {
      name: "pi",
      title: "pi",
      versionIn,
      asks: (id, title, options) => ({ tool: "ask_select", id, input: { title, options } }),
      open: createPiLab,
      waitForQuestion,
      tells: (label) => `The user said: ${label}`,
      setUp: "has put its extension into pi's folder",
    },
    options,
  );
