import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGitProject } from "../../../lab/git-project.ts";
import { LOOPBACK_ONLY } from "../../../lab/loopback-only.ts";

/** `codex`: its CODEX_HOME. */
export type CodexHome = { home: string; project: string; codex: string };

type Wanted = { modelUrl: string; parent?: string };

/** A throw-away home in which the scripted model is the only one, with a small git project in it. */
export async function createCodexHome({ modelUrl, parent = tmpdir() }: Wanted): Promise<CodexHome> {
  const home = await realpath(await mkdtemp(join(parent, "parley-codex-")));
  const [project, codex] = [join(home, "project"), join(home, ".codex")];
  await createGitProject(project);
  await mkdir(codex, { recursive: true, mode: 0o700 });
  await writeFile(join(codex, "config.toml"), settings(modelUrl, project));
  return { home, project, codex };
}

/** No key, no account, no traffic but to the scripted model. */
export function codexEnvironment(home: string): Record<string, string> {
  return {
    HOME: home,
    CODEX_HOME: join(home, ".codex"),
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    OPENAI_API_KEY: "dummy-local",
    GIT_ALLOW_PROTOCOL: "file",
    ...LOOPBACK_ONLY,
  };
}

/** A question in its usual mode is "under development" in 0.166.0; without that only its plan mode asks. */
const settings = (modelUrl: string, project: string): string => `model = "gpt-5.2-codex"
model_provider = "lab"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false
suppress_unstable_features_warning = true

[features]
default_mode_request_user_input = true

[analytics]
enabled = false

[model_providers.lab]
name = "Lab"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"

[projects."${project}"]
trust_level = "trusted"
`;
