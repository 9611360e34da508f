import type { AgentLab } from "../../capability/lab.ts";
import { runRace } from "../../live-race.ts";
import { versionIn } from "../version.ts";
import { createCodexLab } from "./codex-lab.ts";
import { waitForQuestion } from "./screen.ts";

export const runLive: AgentLab["runLive"] = (options) =>
  runRace(
    {
      name: "codex",
      title: "codex",
      versionIn,
      asks: (id, question, labels) => {
        const options = labels.map((label) => ({ label, description: `Use ${label}` }));
        const input = { questions: [{ id: "database", header: "Database", question, options }] };
        return { tool: "request_user_input", id, input };
      },
      open: createCodexLab,
      waitForQuestion,
      tells: (label) => `"answers":["${label}"]`,
      setUp: "has told Parley where codex listens",
    },
    options,
  );
