import { chmodSync, mkdirSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import type { ClaudeHome } from "../../src/agents/claude-code/lab/home.ts";
import { shellQuote } from "../../src/machine/shell-quote.ts";
import { COMMAND, type Program } from "../e2e/program.ts";
import { openStage, type Stage } from "./stage.ts";

const HOME = "/home/node";
const PROJECT = "/workspace";

type Options = {
  version: string;
  script: NonNullable<Parameters<typeof openStage>[0]["script"]>;
  /** Over the network, with no socket in sight; else by the socket, with no network. */
  network?: boolean;
  /** What of it this machine sees too. */
  shares?: boolean;
};
type Given = { file: string; agent: string; program: Program; dirs: ClaudeHome; model: string };

/**
 * The real Claude Code as a container engine would run it: processes, mounts and network of its own, another home and
 * another path of its project. Made by bubblewrap, as root of nothing outside.
 */
export async function openContainerStage({ version, network = false, shares = false, ...options }: Options) {
  let bridge: Server | undefined;
  const folders = ({ home, project }: ClaudeHome) =>
    shares ? ["--folder", `${project}:${PROJECT}`, "--folder", `${home}:${HOME}`] : [];

  async function wrap({ file, agent, program, dirs, model }: Given): Promise<void> {
    await program.start();
    trust(dirs);
    const made = await program.parley(["container", "dev", "--json", ...folders(dirs)]);
    if (made.code !== 0) throw new Error(made.err);
    const { mounts, port } = JSON.parse(made.out) as { mounts: string[]; port: number };
    const ways = join(program.root, "ways", "model");
    mkdirSync(dirname(ways));
    bridge = network ? undefined : await toModel(`${ways}.sock`, Number(new URL(model).port));
    writeFileSync(`${ways}.json`, JSON.stringify([{ port: Number(new URL(model).port), socket: `${ways}.sock` }]));
    const own = network ? "" : "--unshare-net";
    const binds = mounts.flatMap((each) => (each.endsWith(":ro") ? ["--ro-bind", ...each.split(":").slice(0, 2)] : []));
    const words = [
      ..."bwrap --unshare-pid --unshare-ipc --unshare-uts --hostname dev --die-with-parent".split(" "),
      ...`${own} --ro-bind /usr /usr --ro-bind /etc /etc --proc /proc --dev /dev --tmpfs /tmp --tmpfs /run`
        .trim()
        .split(" "),
      ...linked(),
      ...`--bind ${dirs.home} ${HOME} --bind ${dirs.project} ${PROJECT} --ro-bind ${agent} /opt/claude`.split(" "),
      ...binds,
      // As where an engine cannot pass a socket on.
      ...(network ? ["--ro-bind", "/dev/null", "/run/parley/daemon.sock"] : ["--ro-bind", dirname(ways), "/ways"]),
      ...`--unsetenv TMUX --unsetenv TMUX_PANE --unsetenv PARLEY_HOME --setenv HOME ${HOME}`.split(" "),
      ...(network ? ["--setenv", "PARLEY_DAEMON", `http://127.0.0.1:${port}`] : []),
      "--chdir",
      PROJECT,
    ];
    writeFileSync(`${ways}-inside.json`, readFileSync(`${ways}.json`, "utf8").replaceAll(ways, "/ways/model"));
    // As its files are seen in there: without the links around them.
    const [bun = "", ...parley] = COMMAND;
    const first = network ? [] : [realpathSync(bun), ...parley, "task-inside", "/ways/model-inside.json"];
    const enter = words.map(shellQuote).join(" ");
    writeFileSync(file, `#!/bin/sh\nexec ${enter} -- ${[...first, "/opt/claude"].map(shellQuote).join(" ")} "$@"\n`);
    chmodSync(file, 0o755);
    const setup = Bun.spawn([...words, "--", "/run/parley/bin/parley", "setup", "claude-code", "--yes"], {
      env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err, code] = await Promise.all([setup.stdout.text(), setup.stderr.text(), setup.exited]);
    if (code !== 0) throw new Error(out + err);
  }

  const stage: Stage = await openStage({ version, setup: false, ...options, wrap });
  return {
    ...stage,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      bridge?.close();
    },
  };
}

/** Its project has another name in there. */
function trust({ home }: ClaudeHome): void {
  const file = join(home, ".claude.json");
  const state = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...state, projects: { [PROJECT]: { hasTrustDialogAccepted: true } } }));
}

/** `/bin` and its like are links into `/usr` here, or folders of their own. */
function linked(): string[] {
  return ["/bin", "/sbin", "/lib", "/lib64"].flatMap((path) => {
    try {
      return ["--symlink", readlinkSync(path), path];
    } catch {
      return ["--ro-bind-try", path, path];
    }
  });
}

/** Without a network the model is reached by a socket alone. */
function toModel(path: string, port: number): Promise<Server> {
  const server = createServer((taken) => {
    const out = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [taken, out],
      [out, taken],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
      one.pipe(other);
    }
  });
  return new Promise((resolve) => server.listen(path, () => resolve(server)));
}
