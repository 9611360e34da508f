import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGitProject } from "../../../lab/git-project.ts";
import { LOOPBACK_ONLY } from "../../../lab/loopback-only.ts";

/** `copilot`: its COPILOT_HOME. */
export type CopilotHome = { home: string; project: string; copilot: string };

/** A throw-away home with a small git project in it, which is trusted: else a dialog comes first. */
export async function createCopilotHome(): Promise<CopilotHome> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "parley-copilot-")));
  const [project, copilot] = [join(home, "project"), join(home, ".copilot")];
  await createGitProject(project);
  await mkdir(copilot, { recursive: true, mode: 0o700 });
  await writeFile(join(copilot, "config.json"), `${JSON.stringify({ trustedFolders: [project] })}\n`);
  return { home, project, copilot };
}

/** No login, no account, no traffic but to the scripted model. */
export function copilotEnvironment(home: string, modelUrl: string): Record<string, string> {
  return {
    HOME: home,
    COPILOT_HOME: join(home, ".copilot"),
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: "dummy-local",
    COPILOT_MODEL: "gpt-4.1",
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    GIT_ALLOW_PROTOCOL: "file",
    ...LOOPBACK_ONLY,
  };
}
