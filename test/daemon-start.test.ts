import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { question } from "./e2e/api-request.ts";

const src = join(import.meta.dir, "../src");
/** What is large, and what it is for: nobody has set it up in a new home. */
const LATE: Record<string, RegExp> = {
  "the autopilot's ladder and its tables of words": /^core\/autopilot\/(?:gate|ladder\/ladder|category\/subject)/,
  brains: /^brain\/(?:create-brain|message|openclaw|anthropic|openai|claude)\.ts/,
  messengers: /^notify\/(?:slack|telegram|push)\/(?:slack|telegram|push|listener|read|blocks|send-push|encrypt)\.ts/,
  "the line to a hub": /^(?:hub-link\/(?:hub-link|link|trust)|protocol\/hub\/hub)\.ts/,
  "typing into a dialog": /^keys\/(?:answer-by-keys|drive\/drive)/,
  "the set-up of agents": /^agents\/(?:hook-settings|listed-packages|[a-z-]+\/install)\.ts/,
  "the shell's grammar": /^core\/(?:grant\/(?:match|shell-words)|fact\/read-command)\.ts/,
  "routes that few call": /^daemon\/http\/routes\/(?:phone|grant|task|pane|autopilot|trust|earned|draft)-routes\.ts/,
  "the page": /^surfaces\/web\//,
  "the description of the API": /^protocol\/openapi\.ts/,
};
const PACKAGES = ["jsonc-parser", "unbash", "postgres", "@simplewebauthn", "@modelcontextprotocol", "preact"];

/** Runs a daemon in a new home, lets a question be asked and answered, and prints what it has read. */
const PLAYED = `
  const [src, home] = process.argv.slice(-2);
  const { serve } = await import(src + "/serve.ts");
  const { pathsIn, readRegistration } = await import(src + "/machine/home.ts");
  const env = { HOME: home, PARLEY_HOME: home + "/parley", PARLEY_PORT: "0", PARLEY_CONFIG: "/dev/null" };
  const { promise, resolve } = Promise.withResolvers();
  void serve({ env, version: "0.0.0", detached: true, byHand: true, up: resolve });
  const url = await promise;
  const { tokens } = readRegistration(pathsIn(env.PARLEY_HOME));
  const send = async (method, path, token, body) => {
    const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const { id } = await send("POST", "/api/asks", tokens.agent, { questions: [${JSON.stringify(question())}] });
  await send("GET", "/api/asks", tokens.human);
  await send("POST", "/api/asks/" + id + "/settle", tokens.human, { action: "answer", answers: [{ picks: [0] }], surface: "api" });
  await send("GET", "/api/asks/" + id + "/answer?wait=1000", tokens.agent);
  console.log(JSON.stringify(Object.keys(require.cache)));
  process.exit(0);
`;

test("[ME1] a daemon in a new home, asked and answered once, has read nothing that nobody has set up", async () => {
  const home = mkdtempSync(join(tmpdir(), "parley-start-"));
  try {
    const flags = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
    const child = Bun.spawn([process.execPath, ...flags, "-e", PLAYED, src, home], {
      cwd: home,
      env: { PATH: process.env["PATH"] ?? "", HOME: home },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const printed = await new Response(child.stdout).text();
    const read = JSON.parse(printed.trim().split("\n").at(-1) ?? "") as string[];
    const own = read.flatMap((file) => (file.startsWith(`${src}/`) ? [file.slice(src.length + 1)] : []));
    // The list is one of what is there.
    expect(own).toContain("store/sqlite/open.ts");
    const early = Object.entries(LATE).flatMap(([what, files]) =>
      own.flatMap((file) => (files.test(file) ? [`${what}: ${file}`] : [])),
    );
    const packages = PACKAGES.filter((name) => read.some((file) => file.includes(`/node_modules/${name}/`)));
    expect([...early, ...packages]).toEqual([]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test("[ME2] every name in that list is one of a file that there is", async () => {
  const files = [...new Bun.Glob("**/*.ts").scanSync({ cwd: src })];
  expect(Object.entries(LATE).filter(([, each]) => !files.some((file) => each.test(file)))).toEqual([]);
});
