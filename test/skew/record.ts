// Records what another version of Parley says over its socket: bun test/skew/record.ts <its source tree>
// One daemon of that version, and between it and its hooks and commands a listener that writes everything down.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathsIn } from "../../src/machine/home.ts";
import { payloadsOf, recording } from "../recorded.ts";
import type { Message } from "./message.ts";

const tree = resolve(process.argv[2] ?? ".");
const { version } = JSON.parse(readFileSync(join(tree, "package.json"), "utf8")) as { version: string };
const root = mkdtempSync(join(tmpdir(), "parley-"));
const [real, heard] = [pathsIn(join(root, "real")), pathsIn(join(root, "heard"))];
const messages: Message[] = [];
let step = "";
const transcript = join(root, "transcript.jsonl");
writeFileSync(transcript, "");

const run = recording("2.1.325", "single-select");
const session = crypto.randomUUID();
const payload = (event: string, more: object = {}) =>
  JSON.stringify({
    ...payloadsOf(run, event)[0],
    session_id: session,
    transcript_path: transcript,
    cwd: root,
    ...more,
  });

function start(home: string, args: string[], stdin = "") {
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, LANG: "C.UTF-8", PARLEY_HOME: home, PARLEY_PORT: "0" };
  const command = [process.execPath, "--no-env-file", join(tree, "src/main.ts"), ...args];
  return Bun.spawn(command, { cwd: root, env, stdio: [Buffer.from(stdin), "pipe", "pipe"] });
}

async function parley(...args: string[]): Promise<string> {
  step = args.slice(0, 2).join(" ");
  const child = start(heard.home, args);
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (err !== "") throw new Error(`${args.join(" ")}: ${err}`);
  return out;
}

async function hook(event: string, more: object = {}): Promise<void> {
  step = `hook ${event}`;
  await start(heard.home, ["hook", event], payload(event, more)).exited;
}

async function until(look: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 20_000; !(await look()); await Bun.sleep(50))
    if (performance.now() > end) throw new Error(`it does not happen: ${step}`);
}

async function forward(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const body = await request.text();
  const tokens = (JSON.parse(readFileSync(heard.registration, "utf8")) as { tokens: Record<string, string> }).tokens;
  const said = request.headers.get("authorization") ?? "";
  const message: Message = {
    step,
    as: said === `Bearer ${tokens["agent"]}` ? "agent" : "human",
    method: request.method,
    path: `${url.pathname}${url.search}`,
    ...(request.headers.has("idempotency-key") && { once: true }),
    ...(body !== "" && { body: JSON.parse(body) as Record<string, unknown> }),
    status: 0,
    reply: null,
  };
  messages.push(message);
  const response = await fetch(`http://parley${message.path}`, {
    unix: real.socket,
    method: request.method,
    headers: request.headers,
    ...(body !== "" && { body }),
  });
  const text = await response.text();
  Object.assign(message, { status: response.status, reply: JSON.parse(text) as unknown });
  return new Response(text, { status: response.status, headers: { "content-type": "application/json" } });
}

await start(real.home, ["up"]).exited;
mkdirSync(heard.home, { mode: 0o700 });
copyFileSync(real.registration, heard.registration);
const server = Bun.serve({
  unix: heard.socket,
  idleTimeout: 0,
  fetch: forward,
} as unknown as Bun.Serve.Options<undefined>);
try {
  const open = async () => JSON.parse(await parley("ls", "--json")) as { asks?: { id: string; reachable: boolean }[] };
  await hook("SessionStart");
  await hook("PreToolUse");
  step = "hook PermissionRequest";
  const dialog = start(heard.home, ["hook", "PermissionRequest"], payload("PermissionRequest"));
  const calls = () => messages.filter(({ path }) => path === "/hook/call").length;
  await until(() => calls() === 3);
  await Bun.sleep(500);
  const id = /"id":"([a-z0-9]+)"/.exec(JSON.stringify(await open()))?.[1] ?? "";
  for (const args of [["status"], ["ls"], ["count"], ["show", id], ["log"], ["log", id], ["why", id], ["config"]])
    await parley(...args);
  await parley("answer", id, "2");
  await dialog.exited;
  await hook("PostToolUse");
  await hook("Stop");
  await parley("decisions");

  step = "hook PermissionRequest";
  const other = start(
    heard.home,
    ["hook", "PermissionRequest"],
    payload("PermissionRequest", { prompt_id: "another" }),
  );
  await until(() => calls() === 6);
  await Bun.sleep(500);
  step = "hook signal";
  other.kill("SIGTERM");
  await other.exited;

  const asked = (await parley("ask", "Deploy?", "-o", "Yes", "-o", "No", "--no-wait")).trim();
  await parley("answer", asked, "1");
  await parley("wait", asked);
  await parley("ls", "--all");
  await parley("prune", "--days", "30");
  await hook("SessionEnd");
} finally {
  await server.stop(true);
  await start(real.home, ["down"]).exited;
}
const folder = join(import.meta.dir, version);
mkdirSync(folder, { recursive: true });
// A command that looks again and again asks the same each time.
const news = messages.filter(({ step: of, path, body }, i) => {
  const last = messages[i - 1];
  return body !== undefined || last?.step !== of || last.path !== path;
});
const lines = news.map((message) =>
  JSON.stringify(message).replaceAll(root, "/home/you").replaceAll(encodeURIComponent(root), "%2Fhome%2Fyou"),
);
writeFileSync(join(folder, "messages.jsonl"), `${lines.join("\n")}\n`);
rmSync(root, { recursive: true, force: true });
process.stdout.write(`${news.length} messages of Parley ${version}\n`);
