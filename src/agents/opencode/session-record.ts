import type { AgentRecord } from "../capability/record.ts";
import { callIn } from "./call-name.ts";
import { isServiceRecord, serviceRecord } from "./service/record.ts";
import { readAbout, readLastSaid, readLastText, readRecord, readTold } from "./record.ts";

/** opencode keeps every session in one database: a record is its file and the session in it. */
export const locate = (database: string, session: string): string => `${database}#${session}`;

function located(path: string): { database: string; session: string } {
  const mark = path.lastIndexOf("#");
  return { database: path.slice(0, mark), session: path.slice(mark + 1) };
}

/** Of the service, or of a terminal of 1.x. */
const of = (path: string): AgentRecord => (isServiceRecord(path) ? serviceRecord : first);

export const record: AgentRecord = {
  pathOf: (path, subagent) => of(path).pathOf(path, subagent),
  open: (path) => of(path).open(path),
  lastSaid: (path) => of(path).lastSaid(path),
  about: async (path) => of(path).about?.(path) ?? {},
  versionOf: () => Promise.resolve(undefined),
  before: (path, key) => of(path).before(path, key),
};

/** Each question is a look into the database: it is small, indexed by session, and always whole. */
const first: AgentRecord = {
  pathOf: (path, subagent) => (subagent === undefined ? path : locate(located(path).database, subagent)),
  open(path) {
    const { database, session } = located(path);
    const found = (key: string) => readRecord(database, { session, ...callIn(key) })?.received;
    return {
      refresh: () => Promise.resolve(),
      received(key) {
        const received = found(key);
        return received === "running" ? undefined : received;
      },
      results: (key) => (["running", undefined].includes(found(key) as string | undefined) ? 0 : 1),
      keysOf: () => [],
      mentions: () => false,
      unanswered: () => [],
      wasTold: (text) => readTold(database, session, text),
    };
  },
  async lastSaid(path) {
    const { database, session } = located(path);
    return readLastSaid(database, session);
  },
  async about(path) {
    const { database, session } = located(path);
    return readAbout(database, session);
  },
  versionOf: () => Promise.resolve(undefined),
  async before(path, key) {
    const { database, session } = located(path);
    const lastText = readLastText(database, { session, ...callIn(key) });
    return lastText === undefined ? undefined : { lastText, position: 0 };
  },
};
