// As much of opencode 1.18 as Parley's plugin speaks with, in a process of its own: the real plugin inside, its record on disk.
// `bun played-opencode.ts <plugin> <database> <folder>`; told what to do, and what it did, over its IPC line.
import { Database } from "bun:sqlite";

type Asking = { call: string; session: string; text: string; labels: string[] };
/** `taken`: the reply that was named is done or not; `here`: somebody answers in its own dialog. */
export type ToOpencode = { ask: Asking } | { taken: number; isCut: boolean } | { here: string; label: string };
/** `replied`: somebody wants to answer; it waits until it hears `taken`. */
export type FromOpencode = { asked: string } | { replied: number } | { got: string; label: string };
type Pending = Asking & { id: string; message: string; part: string };
type Event = { event: { type: string; properties: object } };
type Plugin = {
  Parley(given: object): Promise<{
    event(given: Event): Promise<void>;
    "tool.execute.before"(input: object, output: object): Promise<void>;
  }>;
};

const [plugin = "", path = "", directory = ""] = process.argv.slice(2);
const database = new Database(path, { create: true });
database.run("PRAGMA journal_mode = WAL");
database.run(`CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)`);
database.run("CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, title text NOT NULL)");
database.run(
  "CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text, time_created integer, data text)",
);

const open = new Map<string, Pending>();
const gates = new Map<number, (isCut: boolean) => void>();
const say = (line: FromOpencode) => void process.send?.(line);
let replies = 0;

const answer = (status: number, data: unknown) => ({ response: { status }, [status < 400 ? "data" : "error"]: data });
const questionsOf = ({ text, labels }: Asking) => [
  { question: text, header: "Choice", options: labels.map((label) => ({ label, description: `What ${label} means` })) },
];
const requestOf = (each: Pending) => ({
  id: each.id,
  sessionID: each.session,
  questions: questionsOf(each),
  tool: { messageID: each.message, callID: each.call },
});
const partOf = (each: Pending, state: object) => ({ type: "tool", callID: each.call, tool: "question", state });

async function called(method: "GET" | "POST", url: string, body?: { answers?: string[][] }) {
  if (url === "/global/health") return answer(200, { healthy: true, version: "1.18.33" });
  if (method === "GET") return answer(200, url === "/question" ? [...open.values()].map(requestOf) : []);
  const number = ++replies;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  gates.set(number, resolve);
  say({ replied: number });
  if (await promise) throw new Error("the line was cut");
  const id = /^\/question\/([^/]+)\/reply$/.exec(url)?.[1] ?? "";
  const each = open.get(id);
  return each ? (take(each, body?.answers ?? []), answer(200, true)) : answer(404, { name: "NotFoundError" });
}

function take(each: Pending, answers: string[][]): void {
  open.delete(each.id);
  const output = `User has answered your questions: "${each.text}"="${answers[0]?.join(", ")}". You can now continue with the user's answers in mind.`;
  const state = { status: "completed", input: { questions: questionsOf(each) }, output, metadata: { answers } };
  const data = partOf(each, { ...state, time: { start: 1, end: 2 } });
  database.query("UPDATE part SET data = ?, time_updated = 2 WHERE id = ?").run(JSON.stringify(data), each.part);
  say({ got: each.call, label: answers[0]?.join(", ") ?? "" });
  const about = { sessionID: each.session };
  tell("question.replied", { ...about, requestID: each.id, answers });
  tell("message.part.updated", { ...about, part: { ...data, id: each.part, ...about, messageID: each.message } });
  tell("session.idle", about);
}

const http = {
  get: ({ url }: { url: string }) => called("GET", url),
  post: ({ url, body }: { url: string; body?: { answers: string[][] } }) => called("POST", url, body),
};
const hooks = await ((await import(plugin)) as Plugin).Parley({ client: { _client: http }, directory });
const tell = (type: string, properties: object) => void hooks.event({ event: { type, properties } });

process.on("message", (line: ToOpencode) => {
  if ("taken" in line) gates.get(line.taken)?.(line.isCut);
  if ("here" in line) {
    const each = [...open.values()].find(({ call }) => call === line.here);
    if (each) take(each, [[line.label]]);
  }
  if ("ask" in line) {
    const name = crypto.randomUUID().slice(0, 8);
    const each = { ...line.ask, id: `que_${name}`, message: `msg_${name}`, part: `prt_${name}` };
    const data = JSON.stringify(partOf(each, { status: "running", input: { questions: questionsOf(each) } }));
    database
      .query("INSERT INTO part VALUES (?, ?, ?, ?, 0, ?)")
      .run(each.part, each.message, each.session, Date.now(), data);
    open.set(each.id, each);
    const info = { id: each.session, directory, title: "A title" };
    tell("session.created", { sessionID: each.session, info });
    void hooks["tool.execute.before"]({ tool: "question", callID: each.call }, { args: {} });
    tell("question.asked", requestOf(each));
    say({ asked: each.call });
  }
});
