import { payloadsOf, type Recording, recording } from "../recorded.ts";

export type Facts = { version: string; session: string; transcript: string; cwd: string };
/** One tool call of the agent. */
export type Call = { key: string; turn: string; question: string };
/** How it came out: whose answer, whose refusal, or Esc in the dialog. */
export type Result =
  | { by: "hook" | "terminal"; label: string }
  | { by: "hook"; refusal: string }
  | { by: "terminal"; escape: true };
export const LABELS = ["Option A", "Option B", "Option C"] as const;

const ASKED = "Which approach should we use?";

/** What the real agent writes and sends, with other names in it: every shape comes from a recorded run. */
export function createRecord(facts: Facts) {
  const recorded = (name: string) => recording(facts.version, name);

  function line(name: string, holding: string, call: Call, label = ""): Record<string, unknown> {
    const run = recorded(name);
    const template = run.lines.find((text) => text.includes(holding) && !text.includes('"type":"api-request'));
    if (template === undefined) throw new Error(`no ${holding} in ${facts.version}/${name}`);
    const found = JSON.parse(renamed(template, run, call, label)) as Record<string, unknown>;
    return { ...found, uuid: crypto.randomUUID(), timestamp: new Date().toISOString() };
  }

  function payload(event: string, call?: Call, label = ""): Record<string, unknown> {
    const run = recorded("answered-by-hook");
    const [template] = payloadsOf(run, event);
    if (!template) throw new Error(`no ${event} in ${facts.version}/answered-by-hook`);
    const nobody = { key: "", turn: crypto.randomUUID(), question: "" };
    return JSON.parse(renamed(JSON.stringify(template), run, call ?? nobody, label)) as Record<string, unknown>;
  }

  function renamed(template: string, run: Recording, call: Call, label: string): string {
    const [first] = run.hooks;
    const turn = run.hooks.find((hook) => hook["prompt_id"] !== undefined)?.["prompt_id"];
    const names: [unknown, string][] = [
      [first?.["transcript_path"], facts.transcript],
      [first?.["session_id"], facts.session],
      [first?.["cwd"], facts.cwd],
      [turn, call.turn],
      ["toolu_ask", call.key],
      [ASKED, call.question],
      ['=\\"Option B\\"', `=\\"${label}\\"`],
      [':"Option B"}', `:"${label}"}`],
    ];
    return names.reduce((text, [from, to]) => text.replaceAll(String(from), to), template);
  }

  return {
    payload,
    resumed: () => ({ ...payload("SessionStart"), source: "resume" }),
    asked: (call: Call) => line("single-select", '"tool_use"', call),
    result(call: Call, result: Result): Record<string, unknown> {
      if ("escape" in result) return line("escape", '"tool_result"', call);
      if (result.by === "terminal") return line("single-select", '"tool_result"', call, result.label);
      if ("label" in result) return line("answered-by-hook", '"tool_result"', call, result.label);
      const content = [{ type: "tool_result", content: result.refusal, is_error: true, tool_use_id: call.key }];
      return {
        ...line("denied-by-hook", '"tool_result"', call),
        message: { role: "user", content },
        toolUseResult: `Error: ${result.refusal}`,
      };
    },
    /** 2.1.197 writes nothing for a call whose session was killed. */
    interrupted: (call: Call) =>
      facts.version === "2.1.197" ? [] : [line("killed-and-resumed", "[Tool call interrupted", call)],
    told(context: string): Record<string, unknown> {
      const told = line("killed-and-resumed", "hook_additional_context", { key: "", turn: "", question: "" });
      return { ...told, attachment: { ...(told["attachment"] as object), content: [context] }, rendered: [] };
    },
  };
}
