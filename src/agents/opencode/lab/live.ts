import type { AgentLab } from "../../capability/lab.ts";
import { runRace } from "../../live-race.ts";
import { versionIn } from "../version.ts";
import { createOpencodeLab } from "./opencode-lab.ts";
import { waitForQuestion } from "./screen.ts";

export const runLive: AgentLab["runLive"] = (options) =>
  runRace(
    {
      name: "opencode",
      title: "opencode",
      versionIn,
      asks: (id, question, labels) => {
        const options = labels.map((label) => ({ label, description: `Use ${label}` }));
        return { tool: "question", id, input: { questions: [{ question, header: "Database", options }] } };
      },
      open: createOpencodeLab,
      waitForQuestion,
      tells: (label) => `="${label}"`,
      setUp: "has put its plugin into opencode's folder",
    },
    options,
  );
