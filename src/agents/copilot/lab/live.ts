import type { AgentLab } from "../../capability/lab.ts";
import { runRace } from "../../live-race.ts";
import { versionIn } from "../version.ts";
import { createCopilotLab } from "./copilot-lab.ts";
import { waitForQuestion } from "./screen.ts";

export const runLive: AgentLab["runLive"] = (options) =>
  runRace(
    {
      name: "copilot",
      title: "Copilot CLI",
      versionIn,
      env: { COPILOT_AUTO_UPDATE: "false", COPILOT_OFFLINE: "true" },
      asks: (id, question, labels) => {
        const database = { type: "string", title: "Database", description: question, enum: [...labels] };
        return { tool: "ask_user", id, input: { message: question, requestedSchema: { properties: { database } } } };
      },
      open: createCopilotLab,
      waitForQuestion,
      tells: (label) => `User responded: ${label}`,
      setUp: "has put its hooks beside Copilot's own",
    },
    options,
  );
