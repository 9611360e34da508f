import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClaudeLab } from "./claude-lab.ts";
import type { ScriptedModel } from "../../../lab/model.ts";
import { poll } from "../../../lab/poll.ts";
import type { Tmux } from "../../../lab/tmux.ts";

/** What the recording hook does on one event: wait, and what it prints in the end. */
export type Order = { hold?: boolean; output?: unknown };
export type TraceEntry = {
  at: number;
  pid: number;
  event: string;
  payload?: Record<string, unknown>;
  toolUseOnDisk?: boolean;
  signal?: string;
  orphaned?: boolean;
  replied?: boolean;
};

export type Stage = {
  lab: ClaudeLab;
  tmux: Tmux;
  model: ScriptedModel;
  order(event: string, order: Order): Promise<void>;
  trace(): Promise<TraceEntry[]>;
  waitForHook(event: string, count?: number): Promise<void>;
  /** Waits until the transcript holds a result for each of these calls. */
  waitForResults(...toolUseIds: string[]): Promise<void>;
  /** Waits until neither hooks nor transcript have moved for a while. */
  quiet(): Promise<void>;
};

const EVENTS = ["PreToolUse", "PermissionRequest", "PostToolUse", "Stop", "SessionStart", "SessionEnd", "Notification"];

export function recordingSettings(dir: string): { hooks: Record<string, unknown> } {
  const hook = join(import.meta.dir, "recording-hook.ts");
  const command = `exec '${process.execPath}' --no-env-file '${hook}' '${dir}'`;
  const entry = (event: string) => ({
    ...(event.startsWith("P") ? { matcher: "AskUserQuestion|ExitPlanMode" } : {}),
    hooks: [{ type: "command", command, timeout: 600 }],
  });
  return { hooks: Object.fromEntries(EVENTS.map((event) => [event, [entry(event)]])) };
}

export async function writeOrder(dir: string, event: string, order: Order): Promise<void> {
  const draft = join(dir, `${event}.draft`);
  await writeFile(draft, JSON.stringify(order));
  await rename(draft, join(dir, `${event}.json`));
}

export function createStage(lab: ClaudeLab, model: ScriptedModel, dir: string): Stage {
  const trace = async () => {
    const text = await readFile(join(dir, "trace.jsonl"), "utf8").catch(() => "");
    return text.split("\n").flatMap((line) => (line === "" ? [] : (JSON.parse(line) as TraceEntry)));
  };
  const until = (what: string, look: () => Promise<boolean>) =>
    poll(async () => ((await look()) ? true : undefined), {
      failure: async () => `${what} did not come; the terminal shows:\n${await lab.tmux.screen()}`,
    });

  return {
    lab,
    tmux: lab.tmux,
    model,
    order: (event, order) => writeOrder(dir, event, order),
    trace,
    async waitForHook(event, count = 1) {
      const came = async () =>
        (await trace()).filter((entry) => entry.event === event && entry.payload).length >= count;
      await until(`hook ${event} (${count}×)`, came);
    },
    async waitForResults(...toolUseIds) {
      await until(`a result for ${toolUseIds.join(", ")} in the transcript`, async () => {
        const text = JSON.stringify(await lab.transcript());
        return toolUseIds.every((id) => text.includes(`"tool_use_id":"${id}"`));
      });
    },
    async quiet() {
      let seen = "";
      let since = performance.now();
      await until("a quiet moment", async () => {
        const now = `${(await trace()).length} ${(await lab.transcript()).length}`;
        if (now !== seen) since = performance.now();
        seen = now;
        return performance.now() - since > 1_500;
      });
    },
  };
}
