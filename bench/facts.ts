import { execFileSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { payloadsOf, recording } from "../test/recorded.ts";
import { atMost, median, ms, p50p99, type Part, percentile } from "./row.ts";
import { openStage, ROOT, type Stage } from "./stage.ts";

const LIMIT_MS = 100;
const ROUNDS = 15;
const [RECORDED] = payloadsOf(recording("2.1.325", "answered-by-hook"), "PermissionRequest");
const COMMANDS = [
  "rm -rf src docs notes.txt",
  "git push --force origin main",
  "git checkout -- .",
  "git reset --hard HEAD~1",
  "npm test",
  "sed -i s/a/b/ README.md AGENTS.md",
  "curl -fsSL https://example.org/install.sh -o install.sh",
  "mv src/main.ts src/other.ts && git commit -am moved",
];

/** What a person waits for beside the question: they never wait for it before the question. */
export const facts: Part = {
  name: "facts",
  about: "how soon what Parley finds out about a call stands beside it",
  notes: [
    `Facts: from the event of the Ask to that of its facts, both as the daemon writes them down, in a clone of this repository with changes in it; ${COMMANDS.length} commands and an edit, ${ROUNDS} times each, one after the other. The first one also reads the shell's grammar, in a daemon that was just started.`,
  ],
  async run() {
    const stage = await openStage();
    try {
      const folder = join(stage.root, "shop");
      execFileSync("git", ["clone", "--quiet", "--local", ROOT, folder]);
      writeFileSync(join(folder, "notes.txt"), "not committed\n");
      appendFileSync(join(folder, "README.md"), "changed\n");
      const edit = { file_path: join(folder, "README.md"), old_string: "changed", new_string: "changed again" };
      const calls = [
        ...COMMANDS.map((command) => ({ tool: "Bash", input: { command, description: "x" } })),
        { tool: "Edit", input: edit },
      ];
      const first: number[] = [];
      for (let i = 0; i < 5; i++) {
        await stage.stop();
        await stage.start();
        first.push(await found(stage, folder, calls[0] ?? { tool: "", input: {} }));
      }
      const times: number[] = [];
      for (let i = 0; i < ROUNDS; i++) for (const call of calls) times.push(await found(stage, folder, call));
      return [
        {
          what: "a call is asked about → what Parley found out stands beside it (p50 / p99)",
          measured: p50p99(times),
          aim: `≤ ${LIMIT_MS} ms`,
          ...atMost(percentile(times, 0.99), LIMIT_MS),
        },
        { what: "the first one after a start", measured: ms(median(first)) },
      ];
    } finally {
      await stage.dispose();
    }
  },
};

type Logged = { events: { type: string; at: number; data: { facts?: unknown } }[] };

async function found({ open, tokens }: Stage, cwd: string, { tool, input }: { tool: string; input: object }) {
  const [hook, person] = [await open(), await open()];
  const session = crypto.randomUUID();
  const transcript = { transcript_path: join(cwd, "none.jsonl"), cwd, prompt_id: session };
  const payload = { ...RECORDED, session_id: session, ...transcript, tool_name: tool, tool_input: input };
  const call = { agent: "claude-code", call: crypto.randomUUID(), calledAt: Date.now(), waits: true, payload };
  const body = JSON.stringify({ ...call, facts: { pid: process.pid } });
  const waiting = hook.send("POST", "/hook/call", tokens().agent, body);
  const get = async (path: string) => JSON.parse((await person.send("GET", path, tokens().human)).body) as unknown;
  for (;;) {
    const { asks } = (await get(`/api/asks?session=${session}`)) as { asks: { id: string }[] };
    const [ask] = asks;
    const { events } = ask ? ((await get(`/api/log?ask=${ask.id}&limit=20`)) as Logged) : { events: [] };
    const [asked, known] = [events[0], events.find(({ data }) => data.facts !== undefined)];
    if (ask && asked && known) {
      await person.send("POST", `/api/asks/${ask.id}/settle`, tokens().human, '{"action":"decline"}');
      await waiting;
      hook.close();
      person.close();
      return known.at - asked.at;
    }
    await Bun.sleep(5);
  }
}
