import { z } from "zod";

/** What "always allow" would change, as Claude Code suggests it with a permission prompt. */
const Suggestion = z.looseObject({
  type: z.string(),
  destination: z.string().optional(),
  mode: z.string().optional(),
  directories: z.array(z.string()).optional(),
  behavior: z.string().optional(),
  rules: z.array(z.looseObject({ toolName: z.string(), ruleContent: z.string().optional() })).optional(),
});
export type Suggestion = z.infer<typeof Suggestion>;

/**
 * Each one is read by itself: one that we do not understand must not hide the others. `raw` is what goes back, letter for
 * letter.
 */
export function readSuggestions(list: unknown): { raw: unknown; suggestion: Suggestion }[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((raw: unknown) => {
    const suggestion = Suggestion.safeParse(raw).data;
    return suggestion ? [{ raw, suggestion }] : [];
  });
}

/** Changes what is asked from now on, not only this call. */
export const isModeChange = ({ type }: Suggestion): boolean => type === "setMode";

/** The effect of a suggestion in words. */
export function effectOf(suggestion: Suggestion): { label: string; description: string } {
  const { type, rules = [], directories = [], mode = "another", behavior = "allow" } = suggestion;
  const named = (places: Record<string, string>, name: string) =>
    Object.hasOwn(places, name) ? places[name] : undefined;
  const to = suggestion.destination ?? "";
  const where = to === "" ? "" : ` ${named(WHERE, to) ?? to}`;
  const listed = rules
    .map(({ toolName, ruleContent }) => (ruleContent ? `${toolName}(${ruleContent})` : toolName))
    .join(", ");
  switch (type) {
    case "addRules":
    case "replaceRules":
      return {
        label: `Always ${behavior} ${listed}`,
        description: `Approve, and ${behavior} ${listed} without asking${where}`,
      };
    case "addDirectories":
      return {
        label: `Also work in ${directories.join(", ")}`,
        description: `Approve, and allow work in ${directories.join(", ")}${where}`,
      };
    case "setMode":
      return {
        label: `Switch to mode ${mode}`,
        description: `Approve, and ${named(MODES, mode) ?? `switch the permission mode to ${mode}`}${where}`,
      };
    default:
      return {
        label: `Approve with ${type}`,
        description: `Approve, and apply ${JSON.stringify(suggestion).slice(0, 200)}`,
      };
  }
}

const WHERE: Record<string, string> = {
  session: "in this session",
  localSettings: "in this project, for you",
  projectSettings: "in this project, for everybody",
  userSettings: "in all your projects",
};

export const AUTO_MODE = "auto";
export const IN_AUTO_MODE = "let Claude Code's own reviewer decide instead of asking";
export const sessionMode = (mode: string) => [{ type: "setMode", mode, destination: "session" }];

const MODES: Record<string, string> = {
  [AUTO_MODE]: IN_AUTO_MODE,
  dontAsk: "deny whatever would ask",
  acceptEdits: "accept every file edit without asking",
  bypassPermissions: "allow everything without asking",
  plan: "go back to planning",
  default: "ask as usual",
};
