// Parley's end inside opencode 1.x: carries events out and requests in, and decides nothing. Whatever fails here, opencode
// goes on as if this file were not there: nothing is thrown, nothing is awaited, and without a Parley nothing is kept.
import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";

/** What Parley's daemon writes of itself; set-up puts the path of that file here. From a package it is looked for. */
const ADDRESS = "PARLEY_ADDRESS_FILE";
const RELEVANT = /^(question\.|permission\.|session\.(created|updated|deleted|idle|error)$)/;
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS, PATIENCE_MS] = [250, 5_000, 30_000];
/** Parley takes bodies up to 1 MiB, and a character has up to three bytes. */
const MOST_CHARACTERS = 300_000;

// Exactly one export: opencode calls every function that a plugin exports.
export const Parley = async ({ client, directory }) => {
  // Behind `parley acp` its connection to the editor says what it asks.
  if (process.env.PARLEY_ACP !== undefined) return {};
  /** What running calls were given: a permission of 1.3.2 does not say for which command it is. */
  const inputs = new Map();
  /** Calls that somebody was asked about; of others Parley hears nothing. */
  const asked = new Set();
  // Not part of its interface, and the only way to its questions. Seen in 1.1.11, 1.3.2 and 1.18.33.
  const http = client["_client"];
  let link, wake, ended, starting;

  async function call(method, url, body) {
    try {
      const given = body === undefined ? {} : { body, headers: { "content-type": "application/json" } };
      const { response, data, error } = await http[method === "GET" ? "get" : "post"]({ url, ...given });
      return { status: response?.status ?? 0, body: data ?? error ?? null };
    } catch (problem) {
      return { status: 0, body: String(problem) };
    }
  }

  async function hello() {
    const { XDG_DATA_HOME, OPENCODE_DB, TMUX, TMUX_PANE } = process.env;
    const data = resolve(XDG_DATA_HOME || resolve(homedir(), ".local/share"), "opencode");
    const version = (await call("GET", "/global/health")).body?.version;
    const [record, facts] = [resolve(data, OPENCODE_DB || "opencode.db"), { tmux: TMUX, pane: TMUX_PANE }];
    return JSON.stringify({ agent: "opencode", version, pid: process.pid, directory, record, facts });
  }

  /** Stays until the link breaks. */
  async function connect(onLink) {
    const { socket, tokens } = JSON.parse(readFileSync(addressFile(), "utf8"));
    const broken = new AbortController();
    const headers = { authorization: `Bearer ${tokens.agent}`, "content-type": "application/json" };
    const post = (path, body, signal) =>
      fetch(`http://parley${path}`, { unix: socket, method: "POST", headers, body, signal, timeout: false });
    const send = (id) => (kind, items) =>
      post(`/hook/link/${id}/${kind}`, `{"${kind}":[${items}]}`, AbortSignal.timeout(PATIENCE_MS));
    const response = await post("/hook/link", await hello(), broken.signal);
    if (!response.ok || !response.body) return;
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of response.body) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter(Boolean).map((text) => JSON.parse(text))) {
        if (line.link !== undefined) onLink({ send: send(line.link), broken, events: [], replies: [], busy: {} });
        else if (line.path !== undefined) void carry(link, line).catch(() => undefined);
      }
    }
  }

  async function carry(to, { id, method, path, body }) {
    const isSent = push(to, "replies", { id, ...(await call(method, path, body)) });
    if (!isSent) push(to, "replies", { id, status: 413 });
  }

  /** False for what is too large to be sent. */
  function push(to, kind, item) {
    const text = JSON.stringify(item);
    if (text.length > MOST_CHARACTERS) return false;
    if (to && to === link) void flush(to, kind, to[kind].push(text));
    return true;
  }

  /** In order, as many at once as fit. What cannot be handed over is dropped with its link: Parley asks what is open. */
  async function flush(to, kind) {
    if (to.busy[kind]) return;
    to.busy[kind] = true;
    while (to === link && to[kind].length > 0) {
      let size = 0;
      const fits = to[kind].findIndex((text) => (size += text.length) > MOST_CHARACTERS);
      const response = await to.send(kind, to[kind].splice(0, fits < 0 ? Infinity : fits)).catch(() => undefined);
      if (!response?.ok) return to.broken.abort();
    }
    to.busy[kind] = false;
  }

  async function stayConnected() {
    for (let pause = SHORTEST_PAUSE_MS; !ended; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await connect((made) => ([link, pause] = [made, SHORTEST_PAUSE_MS / 2])).catch(() => undefined);
      link = undefined;
      if (asked.size > 0 && !ended) await startDaemon().catch(() => undefined);
      await new Promise((resume) => setTimeout((wake = resume), pause).unref?.());
    }
  }

  /** As a hook does, while somebody is asked: what was answered waits for it. Not where it was stopped on purpose. */
  async function startDaemon() {
    const home = dirname(addressFile());
    const program = resolve(home, "bin/parley");
    const isStopped = statSync(resolve(home, "stopped"), { throwIfNoEntry: false })?.size === 0;
    if (starting || isStopped || process.env.PARLEY_SANDBOX !== undefined || !existsSync(program)) return;
    starting = true;
    const { spawn } = await import("node:child_process");
    // Any command that needs one; it says no where there cannot be one.
    const child = spawn(program, ["ls", "--limit", "1"], { cwd: home, stdio: "ignore", detached: true });
    for (const end of ["error", "exit"]) child.once(end, () => (starting = false));
    child.unref();
  }

  async function onEvent({ event }) {
    const { part, tool } = event.properties ?? {};
    // Its folder was closed or loaded anew; a new one has a plugin of its own.
    if (event.type === "server.instance.disposed") ended = link?.broken.abort() ?? true;
    if (tool?.callID && asked.add(tool.callID) && !link) wake?.();
    const isAsked = event.type === "message.part.updated" && asked.has(part?.callID);
    if (!isAsked && !RELEVANT.test(event.type)) return;
    if (/^(completed|error)$/.test(part?.state?.status)) asked.delete(part.callID);
    const isSent = push(link, "events", { event, call: inputs.get(tool?.callID) });
    if (!isSent) push(link, "events", { event });
  }

  setTimeout(() => void stayConnected(), 0);
  return {
    event: (given) => onEvent(given).catch(() => undefined),
    "tool.execute.before": async (input, output) => {
      inputs.set(input?.callID, { tool: input?.tool, input: output?.args });
      if (inputs.size > 100) inputs.delete(inputs.keys().next().value);
    },
    "tool.execute.after": async (input) => void inputs.delete(input?.callID),
  };
};

function addressFile() {
  if (!ADDRESS.startsWith("PARLEY_")) return ADDRESS;
  const { PARLEY_HOME, XDG_STATE_HOME } = process.env;
  return resolve(PARLEY_HOME || resolve(XDG_STATE_HOME || resolve(homedir(), ".local/state"), "parley"), "daemon.json");
}
