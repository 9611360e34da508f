import type { AgentLab } from "../../capability/lab.ts";
import { runRace } from "../../live-race.ts";
import { versionIn } from "../../gemini-kin/version.ts";
import { createGeminiLab, pickThird, waitForQuestion } from "./gemini-lab.ts";

export const runLive: AgentLab["runLive"] = (options) =>
  runRace(
    {
      name: "gemini",
      title: "Gemini CLI",
      versionIn,
      asks: (id, question, labels) => {
        const choices = labels.map((label) => ({ label, description: `Use ${label}` }));
        const input = { questions: [{ header: "Database", question, type: "choice", options: choices }] };
        return { tool: "ask_user", id, input };
      },
      open: createGeminiLab,
      waitForQuestion,
      pickThird,
      tells: (label) => JSON.stringify(JSON.stringify({ answers: { 0: label } })),
      setUp: "has put its hooks into Gemini CLI's settings",
    },
    options,
  );
