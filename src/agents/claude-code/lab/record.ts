import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClaudeLab, type ClaudeLab, type TranscriptLine } from "./claude-lab.ts";
import { createScriptedModel } from "../../../lab/model.ts";
import { CASES, type RecordedCase } from "./record-cases.ts";
import { createStage, recordingSettings, writeOrder, type TraceEntry } from "./record-stage.ts";

const root = join(import.meta.dir, "../../../..");
const [version, ...only] = process.argv.slice(2);
if (version === undefined) {
  console.error("usage: bun src/agents/claude-code/lab/record.ts <version> [case …]");
  process.exit(2);
}
for (const [name, recorded] of Object.entries(CASES)) {
  if (only.length > 0 && !only.includes(name)) continue;
  if (recorded.versions && !recorded.versions.includes(version)) continue;
  const trace = await record(version, name, recorded);
  console.log(`${version} ${name}\n${timeline(trace)}`);
}

async function record(agentVersion: string, name: string, recorded: RecordedCase): Promise<TraceEntry[]> {
  const dir = await mkdtemp(join(tmpdir(), "parley-record-"));
  const orders = { PermissionRequest: { hold: true }, ...recorded.orders };
  for (const [event, order] of Object.entries(orders)) await writeOrder(dir, event, order);
  const model = createScriptedModel({ script: { [name]: recorded.asks } });
  const lab = await createClaudeLab({
    program: join(root, `test/agents/versions/node_modules/claude-code-${agentVersion}/bin/claude.exe`),
    model,
    settings: { ...recordingSettings(dir), ...recorded.settings },
  });
  try {
    const stage = createStage(lab, model, dir);
    await lab.prompt(`SCENARIO:${name}`);
    await recorded.drive(stage);
    await stage.quiet();
    await lab.closeTerminal();
    await stage.quiet();
    const trace = await stage.trace();
    await write(join(root, "src/agents/claude-code/fixtures", agentVersion, name), lab, dir, trace);
    return trace;
  } finally {
    await lab.close();
    await model.close();
    await rm(dir, { recursive: true, force: true });
  }
}

async function write(to: string, lab: ClaudeLab, dir: string, trace: readonly TraceEntry[]): Promise<void> {
  const transcript = await lab.transcript();
  const from = transcript.findIndex(asksSomething);
  const lines = transcript.slice(from).filter((line) => !quotesSystemPrompt(line));
  const payloads = trace.flatMap(({ payload }) => (payload ? [payload] : []));
  const slug = (path: string) => path.replace(/[^a-zA-Z0-9]/g, "-");
  // The throw-away places under lasting names, so that two recordings differ only where the agent does.
  const places: [string, string][] = [
    [lab.home, "/home/dev"],
    [slug(lab.home), "-home-dev"],
    [dir, "/home/dev/record"],
    [process.execPath, "bun"],
    [root, "/opt/parley"],
  ];
  const jsonl = (entries: readonly object[]) =>
    places.reduce(
      (text, [real, lasting]) => text.replaceAll(real, lasting),
      entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""),
    );
  await mkdir(to, { recursive: true });
  await writeFile(join(to, "hooks.jsonl"), jsonl(payloads));
  await writeFile(join(to, "transcript.jsonl"), jsonl(lines));
}

function asksSomething(line: TranscriptLine): boolean {
  return line["type"] === "assistant" && JSON.stringify(line).includes('"type":"tool_use"');
}

/** 2.1.325 also keeps its prompts and tool descriptions there, 100 kB a time: not ours to copy, and nothing we read. */
function quotesSystemPrompt(line: TranscriptLine): boolean {
  const text = JSON.stringify(line);
  if (line["type"] === "api-request-blob") return /<system-reminder>|"# Environment/.test(text);
  return line["type"] === "api-request-shape" || text.includes('"type":"prompt_snapshot"');
}

function timeline(trace: readonly TraceEntry[]): string {
  const start = trace[0]?.at ?? 0;
  return trace
    .map(({ at, pid, event, toolUseOnDisk, signal, orphaned, replied, payload }) => {
      const id = payload?.["tool_use_id"] ?? payload?.["source"] ?? payload?.["reason"] ?? "";
      const what = signal ?? (orphaned ? "orphaned" : replied ? "replied" : `called ${id}`);
      const disk = toolUseOnDisk === undefined ? "" : ` tool_use on disk: ${toolUseOnDisk}`;
      return `  +${at - start} ms ${event} (${pid}) ${what}${disk}`;
    })
    .join("\n");
}
