import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGitProject } from "../../../lab/git-project.ts";
import { LOOPBACK_ONLY } from "../../../lab/loopback-only.ts";

export type ClaudeHome = { home: string; project: string };

/** A throw-away home that skips every first-run dialog, with a small git project in it. */
export async function createClaudeHome(settings?: object, parent = tmpdir()): Promise<ClaudeHome> {
  const home = await realpath(await mkdtemp(join(parent, "parley-claude-")));
  const project = join(home, "project");
  await createGitProject(project);
  await mkdir(join(home, ".claude"));
  const state = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: ["dummy-local"], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true } },
  };
  await writeFile(join(home, ".claude.json"), JSON.stringify(state));
  if (settings) await writeFile(join(home, ".claude/settings.json"), JSON.stringify(settings, null, 2));
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
    ...LOOPBACK_ONLY,
  };
}
