import type { AgentRecord } from "../record.ts";
import { callIn } from "./call-name.ts";
import { readAbout, readLastSaid, readLastText, readRecord, readTold } from "./record.ts";

/** opencode keeps every session in one database: a record is its file and the session in it. */
export const locate = (database: string, session: string): string => `${database}#${session}`;

function located(path: string): { database: string; session: string } {
  const mark = path.lastIndexOf("#");
  return { database: path.slice(0, mark), session: path.slice(mark + 1) };
}

/** Each question is a look into the database: it is small, indexed by session, and always whole. */
export const record: AgentRecord = {
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
