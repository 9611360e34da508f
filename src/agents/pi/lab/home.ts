import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGitProject } from "../../../lab/git-project.ts";
import { LOOPBACK_ONLY } from "../../../lab/loopback-only.ts";

export type PiHome = { home: string; project: string; agent: string };
export const MODEL = ["--offline", "--provider", "lab", "--model", "scripted"];

/** A throw-away home in which the scripted model is the only one, with a small git project and an extension that asks. */
export async function createPiHome(modelUrl: string): Promise<PiHome> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "parley-pi-")));
  const [project, agent] = [join(home, "project"), join(home, ".pi/agent")];
  await createGitProject(project);
  await mkdir(join(agent, "extensions"), { recursive: true });
  const lab = { baseUrl: modelUrl, api: "anthropic-messages", apiKey: "dummy-local", models: [{ id: "scripted" }] };
  await writeFile(join(agent, "models.json"), JSON.stringify({ providers: { lab } }));
  await writeFile(join(agent, "extensions/asking.js"), ASKING);
  return { home, project, agent };
}

/** No key, no account, no traffic but to the scripted model. */
export function piEnvironment(home: string): Record<string, string> {
  return {
    HOME: home,
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    PI_OFFLINE: "1",
    ...LOOPBACK_ONLY,
  };
}

/** Somebody else's extension: pi itself asks nothing. */
const ASKING = `const text = (value) => ({ content: [{ type: "text", text: "The user said: " + value }], details: { value } });
const any = { type: "object", properties: {}, additionalProperties: true };
export default (pi) => {
  const tool = (name, execute) =>
    pi.registerTool({ name, label: name, description: name, parameters: any,
      execute: async (_id, input, signal, _update, ctx) => text(await execute(input, ctx, signal)) });
  tool("ask_select", ({ title, options, timeout }, ctx, signal) => ctx.ui.select(title, options, { signal, timeout }));
  tool("ask_confirm", ({ title, message }, ctx) => ctx.ui.confirm(title, message));
  tool("ask_input", ({ title, placeholder }, ctx) => ctx.ui.input(title, placeholder));
  tool("ask_twice", async ({ title }, ctx) =>
    [await ctx.ui.select(title + " 1", ["a", "b"]), await ctx.ui.select(title + " 2", ["c", "d"])].join(" "));
  pi.on("tool_call", async ({ toolName, input }, ctx) => {
    if (toolName !== "bash" || !/rm -rf/.test(input.command)) return undefined;
    const choice = await ctx.ui.select("Dangerous command:\\n\\n  " + input.command + "\\n\\nAllow?", ["Yes", "No"]);
    return choice === "Yes" ? undefined : { block: true, reason: "Blocked by user" };
  });
  pi.registerCommand("colour", { description: "asks outside of a turn", handler: async (_args, ctx) => {
    ctx.ui.notify("Colour: " + (await ctx.ui.select("Which colour?", ["red", "green"])), "info");
  } });
};
`;
