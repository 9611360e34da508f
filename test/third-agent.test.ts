import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE_MS } from "../src/lab/poll.ts";

const root = join(import.meta.dir, "..");
const copy = mkdtempSync(join(tmpdir(), "parley-third-"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The whole of an agent that says over a unix socket what it asks, one JSON a line. */
const STUB = `import type { Agent } from "../agent.ts";

type Asked = { ask: string; session: string; options: string[] };
const isAsked = (event: unknown): event is Asked =>
  typeof event === "object" && event !== null && "ask" in event && "options" in event && Array.isArray(event.options);

export const stub: Agent = {
  name: "stub",
  title: "Stub",
  program: "stub",
  sessionIn: () => undefined,
  remote: {
    read: (event) =>
      isAsked(event)
        ? [
            {
              type: "asked",
              session: { id: event.session },
              key: event.ask,
              request: event.ask,
              kind: "question",
              dialogOpen: true,
              questions: [
                {
                  text: event.ask,
                  header: "",
                  multiSelect: false,
                  options: event.options.map((label) => ({ label, description: "", recommended: false })),
                },
              ],
            },
          ]
        : [],
    pending: [],
    reply: (_ask, outcome, request) => ({ method: "POST", path: request, body: outcome.answers }),
    recordOf: (record) => record,
  },
};
`;
const TEST = `import { stub } from "../src/agents/stub/stub.ts";
import { AGENTS } from "../src/agents/agents.ts";
import { expect, test } from "bun:test";
import { agentContract } from "./contract/agent.ts";
const none = "a stub for a test of the architecture";
agentContract(stub, {
  events: [{ ask: "Which?", session: "s", options: ["A", "B"] }],
  gaps: { hooks: none, record: none, headless: none, screens: none, install: none, doctor: none, lab: none },
});
test("it is registered", () => expect(AGENTS.map(({ name }) => name)).toContain(stub.name));
`;

test(
  "[AG10] a third agent is a folder and a line in the registry: nothing else changes",
  async () => {
    cpSync(join(root, "src"), join(copy, "src"), { recursive: true, filter: (path) => !path.includes("/fixtures") });
    cpSync(join(root, "test/contract/agent.ts"), join(copy, "test/contract/agent.ts"), { recursive: true });
    cpSync(join(root, "tsconfig.json"), join(copy, "tsconfig.json"));
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    mkdirSync(join(copy, "src/agents/stub"));
    writeFileSync(join(copy, "src/agents/stub/stub.ts"), STUB);
    const registry = join(copy, "src/agents/agents.ts");
    const text = readFileSync(registry, "utf8");
    writeFileSync(
      registry,
      `import { stub } from "./stub/stub.ts";\n${text.replace(/(AGENTS: readonly Agent\[\] = \[[^\]]*)\]/, "$1, stub]")}`,
    );
    writeFileSync(join(copy, "test/stub.test.ts"), TEST);
    const ran = Bun.spawnSync([process.execPath, "test", "./test/stub.test.ts"], {
      cwd: copy,
      env: { ...process.env },
    });
    const out = `${ran.stdout}${ran.stderr}`;
    expect([ran.exitCode, out.match(/(\d+) fail/)?.[1], Number(out.match(/(\d+) pass/)?.[1]) >= 4]).toEqual([
      0,
      "0",
      true,
    ]);
  },
  PATIENCE_MS,
);
