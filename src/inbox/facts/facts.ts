import type { HookReading } from "../../agents/capability/reading.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import { changed, diffOf, type FileChange } from "../../core/fact/file-change.ts";
import { type Fact, LONGEST_DIFF, MOST_FACTS } from "../../core/fact/fact.ts";
import type { CommandReading, Did } from "../../core/fact/command-reading.ts";
import { undoFacts } from "../../core/fact/undo.ts";
import { truncate } from "../../core/text/text.ts";
import { elsewhereFact, hostOf, LONGEST_FACT, pathWords, unknownFact } from "../../core/words/fact-words.ts";
import { isHere } from "../../machine/process/is-here.ts";
import { textAt } from "../../machine/file/look-at.ts";
import { realPath } from "../../machine/file/real-path.ts";
import type { Log } from "../../machine/log.ts";
import type { Store } from "../../store/store.ts";
import { before } from "./facts-before.ts";
import { openPlace, type Place } from "./facts-place.ts";
import { discarded, fileFacts, scriptFact, talksTo } from "./facts-of-command.ts";
import type { Clock, Inbox } from "../inbox.ts";

type Asked = Pick<HookReading & { type: "asked" }, "kind" | "session" | "about" | "call" | "change">;
type Deps = { store: Store; inbox: Pick<Inbox, "change">; now: Clock; log: Log; patienceMs?: number };
export type Facts = ReturnType<typeof createFacts>;

/** What is not known by then is not said. Nothing waits for it: a busy machine finds it out later, not never. */
const PATIENCE_MS = 10_000;
const LARGEST = 1024 * 1024;
type Found = { facts: Fact[]; diff?: string };

/** What Parley finds out itself about a call that waits for leave: without a model, without running it, and after the Ask. */
export function createFacts({ store, inbox, now, log, patienceMs = PATIENCE_MS }: Deps) {
  async function gather(ask: Ask, { about, call = about, change }: Asked, found: Found, place: Place): Promise<void> {
    const work: Promise<void>[] = [];
    const add = async (facts: Promise<Fact[]>) => void found.facts.push(...(await facts));
    if (change) work.push(diffed(change, found, place));
    if (call && !change) work.push(add(ofCall(call, place)));
    if (call) work.push(add(before(store, ask, call, now())));
    await Promise.all(work);
  }

  return {
    /** Contract: the Ask waits for nothing of it; it is an event of its own, and the only one. */
    async addTo(ask: Ask, asked: Asked): Promise<void> {
      const { cwd, server } = asked.session;
      // Decided before anybody was asked: nobody reads them.
      if (ask.outcome) return;
      if (asked.kind === "approval" && ask.origin.container !== undefined && !ask.facts)
        return void (await inbox.change(ask.id, ({ facts, outcome }) =>
          facts || outcome ? [] : [{ type: "ask.context", facts: elsewhereFact(ask.origin.container ?? "") }],
        ));
      // Elsewhere the same path is another file.
      if (asked.kind !== "approval" || ask.facts || cwd === undefined || !isHere(server)) return;
      const place = await openPlace(cwd, patienceMs);
      const found: Found = { facts: [] };
      try {
        const isInTime = await Promise.race([
          gather(ask, asked, found, place).then(() => true),
          Bun.sleep(patienceMs + 10).then(() => false),
        ]);
        if (!isInTime) found.facts.push(...unknownFact([`it took longer than ${patienceMs / 1000} s to find out`]));
      } catch (error) {
        log("warn", "what a call would do could not be found out", { ask: ask.id, error: String(error) });
      } finally {
        place.end();
      }
      const facts = found.facts
        .toSorted((a, b) => rank(a) - rank(b))
        .slice(0, MOST_FACTS)
        .map(bounded);
      if (facts.length === 0 && found.diff === undefined) return;
      const diff = found.diff === undefined ? {} : { diff: truncate(found.diff, LONGEST_DIFF) };
      await inbox.change(ask.id, ({ facts: known, outcome }) =>
        known || outcome ? [] : [{ type: "ask.context", facts, ...diff }],
      );
    },
  };
}

/** What is done, then what can be done about it, then what is not known. */
const ORDER = ["change", "runs", "files", "host", "undo", "before", "unknown"];
const rank = ({ about }: Fact) => ORDER.indexOf(about);
const bounded = ({ about, text, how }: Fact): Fact => ({
  about,
  text: truncate(text, LONGEST_FACT),
  how: truncate(how, 160),
});

async function ofCall(call: ToolCall, place: Place): Promise<Fact[]> {
  switch (call.type) {
    case "command": {
      const { readCommand } = await import("../../core/fact/read-command.ts");
      return ofCommand(readCommand(call.command), place);
    }
    case "fetch": {
      const host = hostOf(call.url);
      return host === undefined ? [] : [{ about: "host", text: `talks to ${host}`, how: "the address it names" }];
    }
    case "read":
      return fileFacts([{ type: "touches", does: "reads", path: call.path, by: "the path it names" }], place).then(
        ({ facts }) => facts,
      );
    case "write":
      return writing(call.path, place);
  }
}

async function writing(path: string, place: Place): Promise<Fact[]> {
  const { facts, touched } = await fileFacts(
    [{ type: "touches", does: "writes", path, by: "the path it names" }],
    place,
  );
  return [...facts, ...undoFacts(touched)];
}

async function ofCommand({ did, unknown }: CommandReading, place: Place): Promise<Fact[]> {
  const of = <T extends Did["type"]>(type: T) => did.filter((each): each is Did & { type: T } => each.type === type);
  const [{ facts: files, touched, cannot }, hosts, scripts, lost] = await Promise.all([
    fileFacts(of("touches"), place),
    talksTo([...of("host"), ...of("remote")], place),
    Promise.all(of("script").map((each) => scriptFact(each, place))),
    discarded(of("discards"), place),
  ]);
  return [
    ...of("runs").map(({ text, by }): Fact => ({ about: "runs", text: `runs ${text}`, how: by })),
    ...files,
    ...scripts.flat(),
    ...hosts,
    ...lost,
    ...undoFacts(touched),
    ...of("undo").map(({ text, by }): Fact => ({ about: "undo", text, how: `what ${by} is` })),
    ...unknownFact([...unknown, ...cannot]),
  ];
}

/** The change against the file as it is now, which the agent may know less of than it thinks. */
async function diffed(change: FileChange, found: Found, place: Place): Promise<void> {
  const facts = writing(change.path, place);
  const real = realPath(place.absolute(change.path));
  const now = real === undefined ? { cannot: "where the path leads is not clear" } : await textAt(real, LARGEST);
  const cannot = (why: string): Fact => ({
    about: "change",
    text: `What it changes cannot be told: ${why}`,
    how: `${pathWords(change.path)} as it is now`,
  });
  const after = now && "cannot" in now ? now : changed(change, now?.text);
  if ("cannot" in after) found.facts.push(cannot(after.cannot));
  else {
    const { patch, added, removed } = diffOf(
      now && "text" in now ? now.text : undefined,
      after.after,
      place.shown(change.path),
    );
    found.diff = patch;
    found.facts.push({
      about: "change",
      text:
        added + removed === 0
          ? "changes nothing: the file is already so"
          : `adds ${added} and takes away ${removed} lines`,
      how: "compared with the file as it is now",
    });
  }
  found.facts.push(...(await facts));
}
