import type { AgentLab } from "../../capability/lab.ts";
import { runRace } from "../../live-race.ts";
import { versionIn } from "../../gemini-kin/version.ts";
import { createQwenLab, pickThird, waitForQuestion } from "./qwen-lab.ts";

export const runLive: AgentLab["runLive"] = (options) =>
  runRace(
    {
      name: "qwen",
      title: "Qwen Code",
      versionIn,
      asks: (id, question, labels) => {
        const choices = labels.map((label) => ({ label, description: `Use ${label}` }));
        const input = { questions: [{ header: "Database", question, multiSelect: false, options: choices }] };
        return { tool: "ask_user_question", id, input };
      },
      open: createQwenLab,
      waitForQuestion,
      pickThird,
      tells: (label) => `**Database**: ${label}`,
      setUp: "has put its hooks into Qwen Code's settings",
    },
    options,
  );
