// Parley's end inside pi: the dialogs of every extension are also open in the inbox, and the first answer wins. Whatever
// fails here, pi goes on as if this file were not there: without a Parley its own dialog is all there is.
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { request } from "node:http";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** What Parley's daemon writes of itself. Set-up puts the path of that file here; else it is where Parley keeps its state. */
const ADDRESS = "PARLEY_ADDRESS_FILE";
/** In pi's session file: what was asked and what the dialog gave back. No model reads it. */
const ENTRY = "parley-dialog";
const WRAPPED = Symbol.for("parley.dialog");
/** Such words are typed where they are asked for, and go nowhere else. */
const SECRET = /pass(word|phrase)|passcode|secret|token|api[_ -]?key|credential|\bpin\b/i;
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS, PATIENCE_MS] = [250, 5_000, 30_000];
/** Parley takes bodies up to 1 MiB, and a character has up to three bytes. */
const MOST_CHARACTERS = 300_000;
const LONGEST_SAID = 4_000;

export default function parley(pi) {
  /** Calls that run now, by id. */
  const running = new Map();
  /** Open dialogs, by name. */
  const open = new Map();
  const asked = new Map();
  let context, link, session, wake;
  let [isOver, isStarting] = [false, false];

  pi.on("session_start", (event, ctx) => void quietly(() => begin(event, ctx)));
  pi.on("session_shutdown", ({ reason }) => void quietly(() => end(reason)));
  const runs = ({ toolCallId: id, toolName: name, args, input }) =>
    void running.set(id, { id, name, input: input ?? args });
  pi.on("tool_execution_start", runs);
  pi.on("tool_call", runs);
  pi.on("tool_execution_end", ({ toolCallId }) => void (running.delete(toolCallId), asked.delete(toolCallId)));
  pi.on("agent_end", ({ messages }) => void quietly(() => say({ type: "turn-ended", said: lastSaid(messages) })));

  function begin({ reason }, ctx) {
    // Without an interface nobody is asked: its extensions are told so. Behind `parley acp` the editor's connection says it.
    if (!ctx.hasUI || isOver || process.env.PARLEY_ACP !== undefined) return;
    [context, session] = [ctx, { id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd }];
    for (const method of ["select", "confirm", "input"]) wrap(ctx.ui, method);
    // What an earlier one of this file has wrapped is taken over: after a reload that one is gone.
    if (!link) void stayConnected({ isNew: reason === "startup" || reason === "new" });
  }

  function end(reason) {
    if (reason === "quit") say({ type: "over", reason });
    isOver = true;
    for (const method of ["select", "confirm", "input"]) unwrap(context?.ui, method);
    // What was said last is on its way.
    setTimeout(() => link?.broken(), 1000).unref();
    wake?.();
  }

  function wrap(ui, method) {
    const native = ui[method][WRAPPED]?.native ?? ui[method];
    const wrapped = (title, second, options = {}) =>
      ask(native.bind(ui), { method, title, second, options: options ?? {} });
    wrapped[WRAPPED] = { native, by: running };
    ui[method] = wrapped;
  }

  function unwrap(ui, method) {
    const { native, by } = ui?.[method]?.[WRAPPED] ?? {};
    if (by === running) ui[method] = native;
  }

  /** Shows the dialog as ever; an answer from outside closes it and is given back in its place. */
  async function ask(native, { method, title, second, options }) {
    const isNothing = method === "select" && !(Array.isArray(second) && second.length > 0);
    if (isOver || isNothing || (method === "input" && SECRET.test(`${title} ${second ?? ""}`)))
      return native(title, second, options);
    const closing = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
    const { promise: fromOutside, give } = promised();
    const dialog = { ...naming(), method, title: String(title), second, at: Date.now() };
    dialog.settle = (answer) => {
      open.delete(dialog.name);
      give({ answer });
      closing.abort();
    };
    open.set(dialog.name, dialog);
    quietly(() => announce(dialog));
    let end;
    try {
      end = await Promise.race([
        native(title, second, { ...options, signal }).then((value) => ({ value })),
        fromOutside,
      ]);
    } catch (problem) {
      open.delete(dialog.name);
      quietly(() => say({ type: "ended", ...publicly(dialog), by: "aborted" }));
      throw problem;
    }
    open.delete(dialog.name);
    const isOurs = end.answer !== undefined;
    const value = isOurs ? valueOf(dialog, end.answer) : end.value;
    quietly(() => record(dialog, { value, isOurs, answer: end.answer ?? {}, options }));
    return value;
  }

  /** The call that asks, where only one runs; one call may ask several times. */
  function naming() {
    const [call, ...others] = running.values();
    if (!call || others.length > 0 || !/^[\w|:.+/=-]{1,300}$/.test(call.id))
      return { name: `dialog_${crypto.randomUUID()}` };
    const count = (asked.get(call.id) ?? 0) + 1;
    asked.set(call.id, count);
    return { name: count === 1 ? call.id : `${call.id}#${count}`, call };
  }

  function announce(dialog) {
    if (link) keep(dialog);
    else wake?.();
    say({ type: "asked", ...publicly(dialog) }, () =>
      say({ type: "asked", ...publicly({ ...dialog, call: undefined }) }),
    );
  }

  /** Once for each, as soon as a Parley knows of it. */
  function keep(dialog) {
    if (dialog.isKept) return;
    dialog.isKept = true;
    const { call, ...rest } = publicly(dialog);
    pi.appendEntry(ENTRY, { state: "asked", ...rest, ...(call && { call: call.id }) });
  }

  function record(dialog, { value, isOurs, answer, options }) {
    const isLate = !isOurs && options.timeout > 0 && Date.now() - dialog.at >= options.timeout - 50;
    const without = options.signal?.aborted ? "aborted" : isLate ? "timeout" : "dialog";
    const by = isOurs ? "parley" : value ? "dialog" : without;
    // A confirmation says no both ways; only for ours is it known that nobody did.
    const isEmpty = value === undefined || answer.none || by === "aborted" || by === "timeout";
    const { say: said, stop } = answer;
    const result = { by, ...(!isEmpty && { value }), ...(said && { said }), ...(stop && { stop }) };
    if (dialog.isKept) pi.appendEntry(ENTRY, { state: "ended", name: dialog.name, call: dialog.call?.id, ...result });
    // In the same turn, after the result of the call; without a turn it is there for the next one.
    if (said) pi.sendMessage({ customType: "parley", content: said, display: true }, { deliverAs: "steer" });
    if (stop) context?.abort();
    say({ type: "ended", ...publicly(dialog), ...result });
  }

  function valueOf({ method, second }, { pick, text }) {
    if (method === "confirm") return pick === 0;
    return method === "select" ? second[pick] : text;
  }

  function isFitting({ method, second }, { pick, text, none }) {
    if (none) return true;
    if (method === "input") return typeof text === "string";
    return Number.isInteger(pick) && pick >= 0 && pick < (method === "confirm" ? 2 : second.length);
  }

  function publicly({ name, method, title, second, call, at }) {
    const more = { select: { options: second }, confirm: { message: second }, input: { placeholder: second } }[method];
    return { name, method, title, ...more, ...(call && { call }), at };
  }

  /** What Parley wants: everything that is open, or to answer one of those. */
  function answer({ method, path, body }) {
    if (method === "GET") {
      const all = [...open.values()];
      all.forEach((dialog) => quietly(() => keep(dialog)));
      return { status: 200, body: all.map((dialog) => ({ type: "asked", session: facts(), ...publicly(dialog) })) };
    }
    const dialog = open.get(path);
    if (!dialog) return { status: 409, body: "no such dialog is open" };
    if (!body || !isFitting(dialog, body)) return { status: 400, body: "no answer to this dialog" };
    dialog.settle(body);
    return { status: 200, body: null };
  }

  function facts() {
    const [file, title] = [context?.sessionManager.getSessionFile?.(), pi.getSessionName?.()];
    return { ...session, ...(file && { file }), ...(title && { title }) };
  }

  function say(event, orElse) {
    if (session && !push(link, "events", { event: { ...event, session: facts() } })) orElse?.();
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
      const items = to[kind].splice(0, fits < 0 ? 1000 : Math.min(fits, 1000));
      const isTaken = await to.send(kind, items).catch(() => false);
      if (!isTaken) return to.broken();
    }
    to.busy[kind] = false;
  }

  async function stayConnected({ isNew }) {
    const opened = (made) => {
      link = made;
      say({ type: "began", isNew });
    };
    for (let pause = SHORTEST_PAUSE_MS; !isOver; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await connect(opened, (line) => push(link, "replies", { id: line.id, ...answer(line) })).catch(() => undefined);
      if (link) pause = SHORTEST_PAUSE_MS / 2;
      link = undefined;
      if (open.size > 0 && !isOver) await startDaemon().catch(() => undefined);
      if (!isOver) await new Promise((resume) => setTimeout((wake = resume), pause).unref());
    }
  }

  /** As a hook does, while somebody is asked: what was answered waits for it. Not where it was stopped on purpose. */
  async function startDaemon() {
    const home = dirname(addressFile());
    const program = join(home, "bin/parley");
    const isStopped = statSync(join(home, "stopped"), { throwIfNoEntry: false })?.size === 0;
    if (isStarting || isStopped || process.env.PARLEY_SANDBOX !== undefined || !existsSync(program)) return;
    isStarting = true;
    const { spawn } = await import("node:child_process");
    // Any command that needs one; it says no where there cannot be one.
    const child = spawn(program, ["ls", "--limit", "1"], { cwd: home, stdio: "ignore", detached: true });
    for (const end of ["error", "exit"]) child.once(end, () => (isStarting = false));
    child.unref();
  }

  function hello() {
    const { TMUX, TMUX_PANE } = process.env;
    const { file } = facts();
    return {
      agent: "pi",
      version: version(),
      pid: process.pid,
      directory: session.cwd,
      record: file,
      facts: { tmux: TMUX, pane: TMUX_PANE },
    };
  }

  /** Stays until the link breaks. */
  async function connect(opened, wanted) {
    const { socket, tokens } = JSON.parse(readFileSync(addressFile(), "utf8"));
    const post = (path, body, timeout) => posted({ socket, token: tokens.agent, path, body, timeout });
    const response = await post("/hook/link", JSON.stringify(hello()));
    const broken = () => response.destroy();
    if (response.statusCode !== 200) return broken();
    response.setEncoding("utf8");
    let rest = "";
    for await (const chunk of response) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter(Boolean).map((text) => JSON.parse(text))) {
        const send = async (kind, items) => {
          const sent = await post(`/hook/link/${line.link}/${kind}`, `{"${kind}":[${items}]}`, PATIENCE_MS);
          sent.resume();
          return sent.statusCode === 200;
        };
        if (line.link !== undefined) opened({ send, broken, events: [], replies: [], busy: {} });
        else if (line.path !== undefined) quietly(() => wanted(line));
      }
    }
  }
}

function promised() {
  let give;
  return { promise: new Promise((resolve) => (give = resolve)), give: (value) => give(value) };
}

/** Nothing of ours may end a dialog of somebody else's. */
function quietly(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function posted({ socket, token, path, body, timeout }) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = request({ socketPath: socket, path, method: "POST", headers, agent: false }, resolve);
    if (timeout) sent.setTimeout(timeout, () => sent.destroy(new Error("no reply")));
    sent.on("socket", (each) => each.unref());
    sent.on("error", reject);
    sent.end(body);
  });
}

function addressFile() {
  if (!ADDRESS.startsWith("PARLEY_")) return ADDRESS;
  const { PARLEY_HOME, XDG_STATE_HOME } = process.env;
  return join(PARLEY_HOME || join(XDG_STATE_HOME || join(homedir(), ".local/state"), "parley"), "daemon.json");
}

/** It does not tell its extensions; its package lies around its program. */
function version() {
  let folder = quietly(() => dirname(realpathSync(process.argv[1]))) ?? "";
  for (let i = 0; i < 4 && folder !== ""; i += 1) {
    const { name, version: found } =
      quietly(() => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))) ?? {};
    if (name?.endsWith("pi-coding-agent")) return found;
    folder = dirname(folder);
  }
  return undefined;
}

function lastSaid(messages) {
  const last = messages?.findLast?.(({ role }) => role === "assistant");
  const parts = Array.isArray(last?.content) ? last.content : [];
  const text = parts.map((part) => (part?.type === "text" ? part.text : "")).join("");
  return text.slice(-LONGEST_SAID);
}
