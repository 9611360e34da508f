import { join } from "node:path";
import type { Question } from "../../src/core/ask/question.ts";
import { isRecommended } from "../../src/core/ask/question.ts";

/** A question nobody tuned with; `stakes` is what either reading named. */
export type Kept = {
  file: string;
  line: number;
  language: string;
  owner: string;
  question: Question;
  a: string[];
  b: string[];
  stakes: string[];
};

const folder = join(import.meta.dir, "frozen");
const linesOf = async (name: string) =>
  (await Bun.file(join(folder, `${name}.txt`)).text())
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

export async function keptQuestions(): Promise<Kept[]> {
  const [a, b] = await Promise.all(["reader-a", "reader-b"].map(readingOf));
  const files = ["en", "others"] as const;
  const all = await Promise.all(
    files.map(async (file) =>
      (await linesOf(file)).map((text, i): Kept => {
        const [who = "", header = "", asked = "", offered = ""] = text.split(" | ");
        const [language, owner] = file === "en" ? ["en", who] : who.split(" ");
        const key = `${file} ${i + 1}`;
        const [first, second] = [a?.get(key) ?? [], b?.get(key) ?? []];
        const question = asQuestion(asked, offered, header);
        const stakes = [...new Set([...first, ...second])];
        return {
          file,
          line: i + 1,
          language: language ?? "",
          owner: owner ?? "",
          question,
          a: first,
          b: second,
          stakes,
        };
      }),
    ),
  );
  return all.flat();
}

/** Said softly, or with something put in: all of it is a person's. */
export async function keptEuphemisms(): Promise<{ language: string; question: Question }[]> {
  return (await linesOf("euphemisms")).map((text) => {
    const [language = "", asked = "", offered = ""] = text.split(" | ");
    return { language, question: asQuestion(asked, offered) };
  });
}

async function readingOf(name: string): Promise<Map<string, string[]>> {
  return new Map(
    (await linesOf(name)).map((text) => {
      const [file, line, ...stakes] = text.split(" ");
      return [`${file} ${line}`, stakes];
    }),
  );
}

/** "Label {description} / Label"; a + before the first: several may be taken. */
export function asQuestion(text: string, offered: string, header = ""): Question {
  const labels = offered.replace(/^\+/, "").split(" / ");
  const options = labels.map((each) => {
    const [, label = each, description = ""] = /^(.*?)(?: \{(.*)\})?$/.exec(each) ?? [];
    return { label, description, recommended: isRecommended(label) };
  });
  return { text, header, multiSelect: offered.startsWith("+"), options };
}
