/** What a key may ask for. */
export type KeyAction =
  | { type: "move"; by: number }
  | { type: "page"; by: number }
  | { type: "end"; of: "top" | "bottom" }
  | { type: "scroll"; by: number }
  | { type: "tab"; to: "next" | "back" }
  | { type: "choose"; number: number }
  | { type: Simple };
type Simple =
  | "open"
  | "mark"
  | "markAll"
  | "recommended"
  | "recommendedMarked"
  | "grant"
  | "declineGrant"
  | "bulk"
  | "accept"
  | "undo"
  | "claim"
  | "handOver"
  | "decline"
  | "chat"
  | "edit"
  | "stop"
  | "snooze"
  | "jump"
  | "web"
  | "filter"
  | "escape"
  | "help"
  | "quit";

/** `hub`: what it does in the inbox of a hub, if something else; empty: nothing there. */
type Binding = { keys: readonly string[]; action: KeyAction; shown?: string; help?: string; hub?: string };
const simple = (type: Simple, keys: string[], shown: string, help: string, hub = help): Binding => ({
  keys,
  action: { type },
  shown,
  help,
  hub,
});

/** The one table: what keys do, and what the help says they do. */
export const BINDINGS: readonly Binding[] = [
  { keys: ["down", "j", "ctrl+n"], action: { type: "move", by: 1 }, shown: "↑↓ j k", help: "move" },
  { keys: ["up", "k", "ctrl+p"], action: { type: "move", by: -1 } },
  { keys: ["pageDown", "ctrl+d"], action: { type: "page", by: 1 }, shown: "PgUp PgDn", help: "a page" },
  { keys: ["pageUp", "ctrl+u"], action: { type: "page", by: -1 } },
  { keys: ["home", "g"], action: { type: "end", of: "top" }, shown: "g G", help: "first, last" },
  { keys: ["end", "G"], action: { type: "end", of: "bottom" } },
  { keys: ["J", "shift+down"], action: { type: "scroll", by: 1 }, shown: "J K", help: "scroll the text on the right" },
  { keys: ["K", "shift+up"], action: { type: "scroll", by: -1 } },
  simple("open", ["enter", "right", "l"], "Enter", "answer it; a session: go there", "answer it"),
  ...Array.from({ length: 9 }, (_, i): Binding => {
    const binding = { keys: [String(i + 1)], action: { type: "choose", number: i + 1 } } as const;
    return i === 0 ? { ...binding, shown: "1-9", help: "choose this option; Enter sends it" } : binding;
  }),
  simple("recommended", ["r"], "r", "answer with the recommended option (★)"),
  simple("accept", ["y"], "y", "accept what the autopilot proposes", ""),
  simple("undo", ["u"], "u", "take back what it is about to answer", "take your answer back"),
  simple("claim", ["i"], "i", "", "say that you are on it; again: let go"),
  simple("handOver", ["I"], "I", "", "hand it over: somebody else is on it"),
  simple(
    "decline",
    ["d"],
    "d",
    "deny or decline, with a reason if you like; a session: dismiss it",
    "deny or decline, with a reason if you like",
  ),
  simple("chat", ["c"], "c", "talk about it first"),
  simple("edit", ["e"], "e", "change a command before you allow it", ""),
  simple("stop", ["x"], "x", "stop the agent, as Esc does; cancel a task"),
  simple("snooze", ["s"], "s", "snooze: put it aside for a while", ""),
  simple("mark", ["space"], "Space", "mark; a marks all that are shown"),
  simple("markAll", ["a"], "", ""),
  simple("recommendedMarked", ["R"], "R", "recommended option for all marked"),
  simple("grant", ["w"], "w", "allow it for a while; a plan: what it names. W: do not propose it again", ""),
  simple("declineGrant", ["W"], "", ""),
  simple("bulk", ["A"], "A", "approvals in one table, those marked or all", ""),
  simple("jump", ["t"], "t", "go to the agent's tmux pane", ""),
  simple("web", ["o"], "o", "open it in the web page", ""),
  simple(
    "filter",
    ["/"],
    "/",
    "filter by words; Esc shows all again",
    "filter by words, machine:name, for:name, for:me; Esc shows all again",
  ),
  {
    keys: ["tab", "]"],
    action: { type: "tab", to: "next" },
    shown: "Tab [ ]",
    help: "waiting, settled, sessions, tasks, grants",
    hub: "waiting, settled",
  },
  { keys: ["shift+tab", "["], action: { type: "tab", to: "back" } },
  simple("help", ["?"], "?", "this help"),
  simple(
    "quit",
    ["q", "ctrl+c"],
    "q",
    "leave; what you typed is kept",
    "leave; what you typed and did not send is printed",
  ),
  simple("escape", ["escape", "left", "h"], "", ""),
];

const ACTIONS = new Map(BINDINGS.flatMap(({ keys, action }) => keys.map((key) => [key, action] as const)));

export const actionOf = (key: string): KeyAction | undefined => ACTIONS.get(key);
