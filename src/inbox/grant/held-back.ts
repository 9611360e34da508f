import type { Ask } from "../../core/ask/ask.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import { stakesOf } from "../../core/autopilot/stake/stakes.ts";
import { safeLine } from "../../core/text/text.ts";
import { folderFor, grammar, placeAt } from "./grants.ts";
import type { MustAsk } from "./must-ask.ts";

type Judged = { call: ToolCall | undefined; cwd: string | undefined; text: string };
export type HeldBack = ReturnType<typeof createHeldBack>;

/** Which calls want to be looked at one by one. In doubt they do. */
export function createHeldBack(mustAsk: MustAsk) {
  const patternOf = ({ call, cwd }: Pick<Judged, "call" | "cwd">) =>
    mustAsk.patternFor({ kind: "approval", ...(call && { call }), session: cwd === undefined ? {} : { cwd } });

  /** Undefined: it may be decided along with others. */
  async function why({ call, cwd, text }: Judged): Promise<string | undefined> {
    const pattern = await patternOf({ call, cwd });
    if (pattern !== undefined) return `you always want to be asked about “${safeLine(pattern, { max: 60 })}”`;
    const question = { text: "", header: "", body: text, multiSelect: false, options: [] };
    const [stake] = stakesOf({ kind: "question", questions: [question] });
    if (stake) return `at stake: ${stake.stake} (${safeLine(stake.why, { max: 60 })})`;
    if (!call || cwd === undefined) return "what it does is not known in full";
    const folder = await folderFor(call, cwd);
    if (folder === undefined) return "its folder is gone";
    const { exactPatternFor } = await grammar();
    const exact = exactPatternFor(call, folder, placeAt(cwd));
    if ("refused" in exact) return exact.refused;
    const [program = ""] = call.type === "command" ? call.command.trim().split(/\s/) : [];
    const { isFarReaching } = await import("../../core/grant/undecidable-programs.ts");
    if (isFarReaching(program)) return `“${safeLine(program, { max: 40 })}” takes things away or reaches other places`;
    return undefined;
  }

  return {
    why,
    isMustAsk: async ({ call, origin: { cwd } }: Ask) => (await patternOf({ call, cwd })) !== undefined,
    /** Of an approval that waits: the call is what is judged, not what its options say. */
    ofAsk: ({ call, origin: { cwd }, questions: [question] }: Ask) =>
      why({ call, cwd, text: question?.body ?? question?.title ?? question?.text ?? "" }),
  };
}
