import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGitProject } from "../../../lab/git-project.ts";
import { LOOPBACK_ONLY } from "../../../lab/loopback-only.ts";
import { freePort } from "../../../lab/free-port.ts";
import { isSecond } from "../version.ts";

export type OpencodeHome = { home: string; project: string; config: string; database: string };
export type OpencodeHomeOptions = {
  version: string;
  modelUrl: string;
  /** Merged over what the lab itself needs. */
  config?: Record<string, unknown>;
  /** Absolute paths of plugins. */
  plugins?: readonly string[];
};

/** A throw-away home in which the scripted model is the only one, with a small git project in it. */
export async function createOpencodeHome(options: OpencodeHomeOptions): Promise<OpencodeHome> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "parley-opencode-")));
  const [project, config] = [join(home, "project"), join(home, ".config/opencode")];
  await createGitProject(project);
  await mkdir(config, { recursive: true });
  const isNew = isSecond(options.version);
  await writeFile(join(config, "opencode.json"), JSON.stringify((isNew ? settings2 : settings)(options), null, 2));
  if (isNew) {
    await writeFile(modelsOf(home), "{}");
    // Without one its service takes 49374 for everybody on the machine, which may be taken (0.0.0-next-16350).
    await writeFile(join(config, "service.json"), JSON.stringify({ port: freePort() }));
  } else await pretendInstalled(config, options.version);
  return { home, project, config, database: join(home, ".local/share/opencode/opencode.db") };
}

/** No key, no account, no traffic but to the scripted model. */
export function opencodeEnvironment(home: string): Record<string, string> {
  return {
    HOME: home,
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    // opencode 2 would offer models of others, which it knows without asking anybody.
    OPENCODE_MODELS_PATH: modelsOf(home),
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_SHARE: "1",
    OPENCODE_DISABLE_TERMINAL_TITLE: "1",
    // 1.1.11 asks npm for its own updates when it starts.
    npm_config_update_notifier: "false",
    GIT_ALLOW_PROTOCOL: "file",
    ...LOOPBACK_ONLY,
  };
}

function settings({ modelUrl, config, plugins = [] }: OpencodeHomeOptions) {
  const scripted = { name: "Scripted", tool_call: true, limit: { context: 100_000, output: 8000 } };
  return {
    autoupdate: false,
    share: "disabled",
    model: "lab/scripted",
    small_model: "lab/scripted",
    permission: { bash: "ask" },
    provider: {
      lab: {
        npm: "@ai-sdk/openai-compatible",
        name: "Lab",
        options: { baseURL: `${modelUrl}/v1`, apiKey: "dummy-local" },
        models: { scripted },
      },
    },
    ...(plugins.length > 0 && { plugin: plugins.map((path) => `file://${path}`) }),
    ...config,
  };
}

const modelsOf = (home: string): string => join(home, "models.json");

/** For opencode 2: nobody but the scripted model may be used. */
function settings2({ modelUrl, config }: OpencodeHomeOptions) {
  const capabilities = { tools: true, input: ["text"], output: ["text"] };
  return {
    autoupdate: false,
    share: "disabled",
    model: "lab/scripted",
    permissions: ["shell", "edit"].map((action) => ({ action, resource: "*", effect: "ask" })),
    experimental: {
      policies: [
        { action: "provider.use", resource: "*", effect: "deny" },
        { action: "provider.use", resource: "lab", effect: "allow" },
      ],
    },
    providers: {
      lab: {
        name: "Lab",
        package: "aisdk:@ai-sdk/openai-compatible",
        settings: { baseURL: `${modelUrl}/v1`, apiKey: "dummy-local" },
        models: { scripted: { name: "Scripted", capabilities, limit: { context: 100_000, output: 8000 } } },
      },
    },
    ...config,
  };
}

/**
 * With any plugin 1.18.33 installs this package into the folder of its settings before it shows anything: without a
 * network that takes 75 s, at every start. It only looks whether one of its own version is there.
 */
export async function pretendInstalled(config: string, version: string): Promise<void> {
  const name = "@opencode-ai/plugin";
  const place = join(config, "node_modules", name);
  const dependencies = { [name]: version };
  const packages = { "": { dependencies }, [`node_modules/${name}`]: { version } };
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "package.json"), JSON.stringify({ name, version }));
  await writeFile(join(config, "package.json"), JSON.stringify({ dependencies }));
  await writeFile(join(config, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
}
