import { expect, test } from "bun:test";
import type { HookReading } from "../agents/capability/reading.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import { openMemory } from "../store/memory.ts";
import { createCapture } from "./capture.ts";
import { createInbox, type Decided } from "./inbox.ts";

type Asked = HookReading & { type: "asked" };
const option = (label: string, effect: "allow" | "deny") => ({ label, description: "", recommended: false, effect });
const asked: Asked = {
  type: "asked",
  kind: "approval",
  session: { id: "s", cwd: "/shop" },
  questions: [
    {
      text: "Allow this command?",
      header: "Bash",
      multiSelect: false,
      options: [option("Approve", "allow"), option("Deny", "deny")],
    },
  ],
  match: "m",
  call: { type: "command", command: "npm test" },
  turn: "t",
  dialogOpen: true,
};
const allowed = (grant?: string): Decided => {
  const actor =
    grant === undefined ? ({ type: "person", surface: "cli" } as const) : ({ type: "rule", surface: "grant" } as const);
  const outcome: Outcome = { type: "answered", actor, at: 1, answers: [{ picks: [0] }], ...(grant && { grant }) };
  return { outcome };
};

function stage() {
  const store = openMemory();
  const capture = createCapture({ store, inbox: createInbox({ store, now: () => 1000 }) });
  const origin = async () => ({ agent: "claude-code", session: "s", turn: "t" });
  return {
    store,
    call: async (name: string, decide?: Decided) =>
      (await capture(asked, { call: name, payload: {} }, origin, async () => decide)).ask,
  };
}

test("[GP5] what a grant decided for a hook that died is not handed to an equal call: that is looked at anew, by grants and by what must be asked", async () => {
  const { store, call } = stage();
  const first = await call("hook-1", allowed("g"));
  // The same hook, which found no daemon for a moment, gets what was decided for it.
  expect((await call("hook-1")).id).toBe(first.id);
  // The grant is used up or revoked, or a pattern asks: nothing decides now.
  const second = await call("hook-2");
  expect([second.id === first.id, second.outcome]).toEqual([false, undefined]);
  // What a person decided is for the call that is asked again, as ever.
  const person = await call("hook-3");
  expect(person.id).toBe(second.id);
  await store.close();
});
