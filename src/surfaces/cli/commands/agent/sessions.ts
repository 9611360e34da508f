import { inOrder, needsPrompt } from "../../../../core/ask/session-state.ts";
import { lastWords, sessionName, sessionSince, sessionWords } from "../../../../core/words/session-words.ts";
import { ageOf } from "../../../../core/words/time.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { counted } from "../../../../core/words/number.ts";
import type { SessionView } from "../../../../protocol/view.ts";
import { fit, pad } from "../../../terminal/columns.ts";
import type { Terminal } from "../../../terminal/terminal.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";

const LONGEST_LINE = 240;

export const command = defineCommand({
  about:
    "The agents that run: what each is called, where it works, and whether it runs, asks, or has finished and waits for a prompt, with its last words.",
  positionals: { id: { optional: true } },
  options: {
    dismiss: { description: "you have seen that it finished; without an id: all that have" },
    json: { description: "the whole sessions" },
  },
  async run({ id, dismiss, json }, { terminal, client }) {
    const live = (await client.call("listSessions", { query: { live: "true", limit: 500 } })).sessions;
    if (dismiss) return dismissAll(id === undefined ? live.filter(needsPrompt).map((each) => each.id) : [id]);
    const shown = inOrder(id === undefined ? live : live.filter((each) => each.id.startsWith(id)));
    if (json) return (terminal.out(jsonLine({ sessions: shown })), 0);
    if (shown.length === 0) return (terminal.out("No agents running.\n"), 0);
    terminal.out(table(shown, await openOf(client), Date.now(), terminal));
    return 0;

    async function dismissAll(ids: readonly string[]): Promise<number> {
      for (const each of ids) await client.call("dismissSession", { id: each, body: { surface: "cli" } });
      terminal.out(json ? jsonLine({ dismissed: ids }) : `${counted(ids.length, "session")} dismissed.\n`);
      return 0;
    }
  },
});

async function openOf(client: Context["client"]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const { asks } = await client.call("listAsks", { query: { limit: 500 } });
  for (const { origin } of asks)
    if (origin.session !== undefined) counts.set(origin.session, (counts.get(origin.session) ?? 0) + 1);
  return counts;
}

function table(
  shown: readonly SessionView[],
  open: ReadonlyMap<string, number>,
  now: number,
  { width, style }: Terminal,
): string {
  const most = Math.min(width, LONGEST_LINE);
  const rows = shown.map((session) => ({
    session,
    state: sessionWords(session, open.get(session.id)),
    age: ageOf(sessionSince(session), now),
    project: fit(safeLine(session.project ?? session.agentTitle, { max: 40 }), 20),
  }));
  const longest = (texts: string[]) => Math.max(...texts.map((text) => Bun.stringWidth(text)));
  const [states, ages, projects] = [
    longest(rows.map(({ state }) => state)),
    longest(rows.map(({ age }) => age)),
    longest(rows.map(({ project }) => project)),
  ];
  return rows
    .map(({ session, state, age, project }) => {
      const id = safeLine(session.id, { max: 40 }).slice(0, 8);
      const paint = open.has(session.id) || needsPrompt(session) ? style.yellow : style.dim;
      const head = `${style.bold(pad(id, 8))}  ${paint(pad(state, states))}  ${style.dim(age.padStart(ages))}  ${style.cyan(pad(project, projects))}`;
      const left = most - 8 - states - ages - projects - 8;
      const said = lastWords(session);
      const below = said === "" ? "" : `          ${style.dim(fit(said, most - 10))}\n`;
      return `${head}  ${fit(sessionName(session), Math.max(1, left))}\n${below}`;
    })
    .join("");
}
