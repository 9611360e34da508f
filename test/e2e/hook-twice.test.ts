import { afterEach, beforeEach, expect, test } from "bun:test";
import { createProgram, type Program } from "./program.ts";
import { eventually } from "../patience.ts";

let program: Program;
beforeEach(() => void (program = createProgram()));
afterEach(() => program.dispose());

const session = { session_id: "s1", cwd: "/tmp", prompt_id: "p1" };
const FORM = {
  ...session,
  hook_event_name: "Elicitation",
  mcp_server_name: "lab",
  mode: "form",
  message: "Which one?",
  requested_schema: { type: "object", properties: { db: { type: "string", enum: ["pg", "lite"] } }, required: ["db"] },
};
const CALL = {
  ...session,
  hook_event_name: "PermissionRequest",
  tool_name: "Bash",
  tool_input: { command: "touch x", description: "make a file" },
};

/** Settings and a plugin may both have our hooks: each of them is called, in no order. */
test.each([
  ["Elicitation", FORM, "db=lite"],
  ["PermissionRequest", CALL, undefined],
] as const)(
  "[CB1] %s hooks installed twice make one Ask, and one of them answers it",
  async (event, payload, field) => {
    await program.start();
    const hooks = [1, 2].map(() => program.spawn(["hook", "claude-code", event], { stdin: JSON.stringify(payload) }));
    const client = program.client("human");
    const ask = await eventually(async () => {
      const [first, ...others] = (await client.call("listAsks", { query: { state: "all" } })).asks;
      expect([first?.reachable, others]).toEqual([true, []]);
      // Both are there: one that came after the answer would be a question of its own.
      const { events } = await client.call("readLog", { query: { ask: first?.id ?? "" } });
      expect(events.filter(({ type }) => type === "ask.held")).toHaveLength(2);
      return first;
    });
    const choice = field === undefined ? ["1"] : ["--field", field];
    await program.parley(["answer", ask?.id ?? "", ...choice], { env: { PARLEY_RECEIPT_MS: "1" } });
    const printed = await Promise.all(hooks.map((hook) => new Response(hook.stdout).text()));
    expect(printed.filter((text) => text !== "")).toHaveLength(1);
    expect((await client.call("listAsks", { query: { state: "all" } })).asks).toHaveLength(1);
    await Promise.all(hooks.map(({ exited }) => exited));
  },
);
