import { EFFECTS } from "../../core/ask/effect.ts";

/** Fields whose values say how something happened, not what it was about. */
const PLAIN = new Set(
  `id version kind state type key channel hold released at seq v mode reason parley bun platform step ms surface role
  stop_reason hook_event_name hookEventName tool_name tool_use_id permission_mode behavior source permissionDecision
  decision toolDenialKind effect stakes uuid parentUuid timestamp promptId prompt_id ask agent agentTitle`.split(/\s+/),
);
/** Below these everything is what a model, a person or a tool wrote, whatever its fields are called. */
const FREE = new Set(
  "tool_input input updatedInput tool_response toolUseResult answers annotations questions pane".split(" "),
);
/** Fields of which any script may write what it likes: only what Parley or the agent itself calls so is kept. */
const KNOWN: Record<string, RegExp> = {
  agent: /^(claude-code|parley)$/,
  agentTitle: /^(Claude Code( \(in (a sandbox|container [\w-]{1,40})\))?|Parley)$/,
  surface: /^(cli|web|api|terminal|agent|timeout|tui)$/,
  mode: /^(default|acceptEdits|plan|bypassPermissions|dontAsk|auto)$/,
  effect: new RegExp(`^(${EFFECTS.join("|")})$`),
  stakes: /^high$/,
  tool_name: /^[A-Z][A-Za-z]{2,20}$/,
};

const ENUM = new Set(["effect", "stakes"]);

/** `names` are replaced wherever they stand; `salt` keeps short texts from being guessed by their digest. */
export type Redaction = { names: Record<string, string>; keepText: boolean; salt: string };

/** Contract: no word of a question, answer, command or path is left, unless `keepText`; equal texts stay equal. */
export function redact(value: unknown, how: Redaction, field = "", isFree = false): unknown {
  if (Array.isArray(value)) return value.map((item) => redact(item, how, field, isFree));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        how.keepText ? anonymous(key, how) : isName(key, isFree) ? key : token(key, how),
        redact(item, how, key, isFree || FREE.has(key)),
      ]),
    );
  if (typeof value === "number" && isFree && !how.keepText) return token(String(value), how);
  if (typeof value !== "string") return value;
  if (how.keepText) return anonymous(value, how);
  const isKnown = KNOWN[field]?.test(value);
  const isPlain = PLAIN.has(field) && value.length <= 80 && (isKnown ?? !isFree) && (!isFree || ENUM.has(field));
  return isPlain ? anonymous(value, how) : token(value, how);
}

function anonymous(text: string, { names }: Redaction): string {
  return Object.entries(names)
    .filter(([name]) => name.length > 1)
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce((so, [name, mask]) => so.replaceAll(name, mask), text);
}

/** A key can itself be a text: answers are keyed by their question, a tool's input by anything. */
const isName = (key: string, isFree: boolean) => (isFree ? INPUT.has(key) : /^[\w$-]{1,40}$/.test(key));
const INPUT = new Set(
  `questions question header options label description preview multiSelect answers annotations notes text body recommended effect target stakes picks note unread command file_path
  old_string new_string content plan stdout stderr interrupted server id`.split(/\s+/),
);
const token = (text: string, { salt }: Redaction) =>
  `<${text.length} characters, ${Bun.hash(salt + text)
    .toString(16)
    .slice(0, 8)}>`;
