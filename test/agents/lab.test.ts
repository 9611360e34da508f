import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createClaudeLab } from "../../src/agents/claude-code/lab/claude-lab.ts";
import { pickOption, waitForDialog } from "../../src/agents/claude-code/lab/dialog.ts";
import { createScriptedModel } from "../../src/lab/model.ts";
import { isAlive } from "../../src/lab/process-tree.ts";
import { missingForLab } from "../../src/lab/requirements.ts";
import { TEST_MS } from "../patience.ts";

const question = {
  question: "Which approach should we use?",
  header: "Approach",
  multiSelect: false,
  options: [
    { label: "Option A", description: "Use existing pattern" },
    { label: "Option B", description: "Create new pattern" },
  ],
};

describe.each(["2.1.325", "2.1.197"])("the lab runs Claude Code %s", (version) => {
  const program = join(import.meta.dir, `versions/node_modules/claude-code-${version}/bin/claude.exe`);
  const missing = missingForLab(program);
  const skip = missing !== undefined && process.env["CI"] !== "true";
  const why = skip ? ` (skipped: ${missing})` : "";

  test.skipIf(skip)(
    `the model receives exactly what is picked in the terminal, and nothing keeps running${why}`,
    async () => {
      if (missing !== undefined) throw new Error(missing);
      await using model = createScriptedModel({
        script: {
          single: [
            { text: "Let me ask." },
            { tool: "AskUserQuestion", id: "toolu_ask", input: { questions: [question] } },
          ],
        },
      });
      await using lab = await createClaudeLab({ program, model });
      await lab.prompt("SCENARIO:single");
      await waitForDialog(lab.tmux, question.question);
      await pickOption(lab.tmux, 2);

      const received = await model.waitForToolResult("toolu_ask");
      expect(received).toEqual({
        toolUseId: "toolu_ask",
        isError: false,
        text: 'Your questions have been answered: "Which approach should we use?"="Option B". You can now continue with these answers in mind.',
      });
      await lab.tmux.waitFor(/DONE\. I got: toolu_ask err=false/);
      expect(model.toolResults()).toEqual([received]);

      const pids = lab.tmux.processes().map(({ pid }) => pid);
      expect(pids).toContain(lab.pid());
      await lab.close();
      expect(pids.filter(isAlive)).toEqual([]);
    },
    TEST_MS,
  );
});
