import { z } from "zod";
import { judgeQuestion, type Judged } from "../../../../core/autopilot/gate/judge.ts";
import { isRecommended, type Question } from "../../../../core/ask/question.ts";
import { defineCommand } from "../../command-line/define.ts";
import { jsonLine } from "../../json.ts";
import { bytesOf } from "../../scan/scan-files.ts";

export const command = defineCommand({
  usage: ["[FILE|-] --json"],
  about:
    "What the gate says of questions, one JSON object a line: {id?, question, header?, multiSelect?, options:[{label, description?}]}. Needs no daemon, reads no settings, writes nothing.",
  standsAlone: true,
  positionals: { file: { optional: true, of: "file" } },
  notes: `For each line, in order: {line, id?, category, stakes, gate: "pass"|"hold", why, language}.
What cannot be read is {line, gate: "hold", error}.

Exit codes: 0 all read · 2 some could not be read`,
  async run({ file = "-" }, { terminal }) {
    let line = 0;
    let isAllRead = true;
    for await (const text of linesOf(file)) {
      line += 1;
      const judged = judgeLine(text);
      if ("error" in judged) isAllRead = false;
      terminal.out(jsonLine({ line, ...judged }));
    }
    return isAllRead ? 0 : 2;
  },
});

const Line = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  question: z.string().refine((text) => text.trim() !== "", { error: "it is empty" }),
  header: z.string().nullish(),
  multiSelect: z.boolean().nullish(),
  options: z
    .array(z.object({ label: z.string(), description: z.string().nullish(), preview: z.string().nullish() }))
    .nullish(),
});

type Said = (Judged & { id?: string | number }) | { gate: "hold"; error: string };

function judgeLine(text: string): Said {
  const read = parse(text);
  if ("error" in read) return { gate: "hold", error: read.error };
  const { id, question: asked, header, multiSelect, options } = read.line;
  const question: Question = {
    text: asked,
    header: header ?? "",
    multiSelect: multiSelect ?? false,
    options: (options ?? []).map(({ label, description, preview }) => ({
      label,
      description: description ?? "",
      recommended: isRecommended(label),
      ...(typeof preview === "string" && { preview }),
    })),
  };
  return { ...(id !== undefined && { id }), ...judgeQuestion(question) };
}

const LONGEST = 1024 * 1024;

/** Each line, also an empty one, so that the numbers are those of the file. A longer one than is judged is only begun. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let held = "";
  for await (const bytes of bytesOf(file)) {
    const lines = (held + decoder.decode(bytes, { stream: true })).split("\n");
    held = lines.pop() ?? "";
    yield* lines;
    // One character more than allowed says that it is too long.
    if (held.length > LONGEST) held = held.slice(0, LONGEST + 1);
  }
  held += decoder.decode();
  if (held !== "") yield held;
}

function parse(text: string): { line: z.infer<typeof Line> } | { error: string } {
  if (text.length > LONGEST) return { error: "it is longer than 1 MB" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: "it is not JSON" };
  }
  const { data, error } = Line.safeParse(value);
  if (data) return { line: data };
  const [problem] = error.issues;
  return { error: [problem?.path.join("."), problem?.message].filter(Boolean).join(": ") };
}
