import type { Does } from "./command-reading.ts";
import type { Fact } from "./fact.ts";
import { pathWords } from "../words/fact-words.ts";

/** What is there now, and what git knows of it. `git` undefined: nobody could say. */
export type Touched = {
  does: Does;
  path: string;
  isThere: boolean;
  git: "clean" | "changed" | "untracked" | "ignored" | "partly untracked" | "outside" | undefined;
};

const TAKES_AWAY = new Set<Does>(["deletes", "writes"]);

/** Whether and how it can be undone, as far as git says so. */
export function undoFacts(touched: readonly Touched[]): Fact[] {
  const gone = touched.filter(({ does, isThere }) => TAKES_AWAY.has(does) && isThere);
  const named = (all: readonly Touched[]) => {
    const [first, second, ...more] = all.map(({ path }) => pathWords(path));
    return [first, second].filter(Boolean).join(", ") + (more.length > 0 ? ` and ${more.length} more` : "");
  };
  const those = (...states: Touched["git"][]) => gone.filter(({ git }) => states.includes(git));
  const [kept, half, lost] = [
    those("clean"),
    those("changed", "partly untracked"),
    those("untracked", "ignored", "outside"),
  ];
  const made = touched.filter(({ does, isThere }) => ["makes", "writes", "appends to"].includes(does) && !isThere);
  const fact = (all: readonly Touched[], text: string): Fact[] =>
    all.length === 0 ? [] : [{ about: "undo", text, how: "git status" }];
  return [
    ...fact(kept, `Can be undone: git restore brings back ${named(kept)}`),
    ...fact(half, `Can be undone in part: of ${named(half)} git has only what is committed`),
    ...fact(lost, `Git cannot undo it: it does not have ${named(lost)}`),
    ...fact(made, `Can be undone: ${named(made)} would be new, and can be deleted`).map((each) => ({
      ...each,
      how: "it is not there yet",
    })),
  ];
}
