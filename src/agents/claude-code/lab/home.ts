import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type ClaudeHome = { home: string; project: string };

/** Nobody listens there: whatever wants to leave this machine fails at once, before a name is looked up. */
const NOWHERE = "http://127.0.0.1:9";

/** A throw-away home that skips every first-run dialog, with a small git project in it. */
export async function createClaudeHome(settings?: object, parent = tmpdir()): Promise<ClaudeHome> {
  const home = await realpath(await mkdtemp(join(parent, "parley-claude-")));
  const project = join(home, "project");
  await mkdir(project);
  await mkdir(join(home, ".claude"));
  const state = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: ["dummy-local"], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true } },
  };
  await writeFile(join(home, ".claude.json"), JSON.stringify(state));
  if (settings) await writeFile(join(home, ".claude/settings.json"), JSON.stringify(settings, null, 2));
  await writeFile(join(project, "README.md"), "# A project\n");
  await git(project, "init", "--quiet", "--initial-branch=main");
  await git(project, "add", ".");
  await git(project, "commit", "--quiet", "--message=start");
  return { home, project };
}

/** No key, no account, no traffic but to the scripted model. */
export function claudeEnvironment(home: string, modelUrl: string): Record<string, string> {
  return {
    HOME: home,
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    IS_SANDBOX: "1",
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "dummy-local",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    // Seen in 2.1.325 in spite of the above: a download of the plugin list, then ssh and git to a public host.
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
    // It lives for seconds: the optimising compiler of its runtime costs 13 % of a run and saves nothing.
    BUN_JSC_useDFGJIT: "0",
    GIT_ALLOW_PROTOCOL: "file",
    HTTP_PROXY: NOWHERE,
    HTTPS_PROXY: NOWHERE,
    NO_PROXY: "127.0.0.1,localhost",
  };
}

async function git(cwd: string, ...args: string[]): Promise<void> {
  // Without maintenance: that would go on in the background, in a folder that may be removed by then.
  const settings = ["user.name=dev", "user.email=dev@localhost", "maintenance.auto=false", "gc.auto=0"];
  const child = Bun.spawn(["git", ...settings.flatMap((setting) => ["-c", setting]), ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    stderr: "pipe",
  });
  const problem = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`git ${args[0]} failed in ${cwd}: ${problem.trim()}`);
}
