import { expect } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isUp } from "../../src/client/wire.ts";
import { isAlive } from "../../src/machine/process/process.ts";
import { supervisorOf } from "../../src/runner/run/claim.ts";
import { agentOf, pathOfRun, runFolder } from "../../src/runner/run/run-folder.ts";
import { processes } from "../fault/processes.ts";
import { startAgent } from "./agent-stage.ts";
import { BUN, holds } from "./program.ts";
import { inSandbox } from "./sandbox-stage.ts";
import { createTaskStage, DATABASE, isDone, isWaiting, type TaskStage } from "./tasks-stage.ts";

const READ = `sandbox_read = ["${join(import.meta.dir, "../..")}"]`;

async function withStage(work: (stage: TaskStage) => Promise<void>, settings = READ): Promise<void> {
  const stage = await createTaskStage(`park_after_seconds = 86400\n${settings}`);
  try {
    await work(stage);
  } finally {
    await stage.dispose();
  }
}

/** An agent that is a shell script: its prompt is what it runs, and what that prints is what it says. */
function shellAgent(stage: TaskStage): void {
  const script = [
    "#!/bin/sh",
    "read -r line",
    `script=$(printf %s "$line" | ${BUN} -e 'console.log(JSON.parse(await Bun.stdin.text()).message.content)')`,
    'out=$(sh -c "$script" 2>&1)',
    `printf %s "$out" | ${BUN} -e 'console.log(JSON.stringify({type:"result",subtype:"success",is_error:false,num_turns:1,result:(await Bun.stdin.text()).trim()}))'`,
  ];
  writeFileSync(join(stage.root, "bin/claude"), `${script.join("\n")}\n`);
}

const says = async (stage: TaskStage, script: string, ...args: string[]) => {
  const { out, err } = await stage.type(["run", script, "--sandbox", "--json", ...args]);
  if (out === "") throw new Error(err);
  return (await stage.becomes((JSON.parse(out) as { id: string }).id, isDone)).said ?? "";
};

inSandbox("[SB3] where a sandbox is wanted and none can be made no task is there, and it is said why", async () => {
  await withStage(async (stage) => {
    const tools = join(stage.root, "tools");
    mkdirSync(tools);
    for (const name of ["git", "sh", "env"]) symlinkSync(Bun.which(name) ?? "", join(tools, name));
    await stage.terminate();
    await stage.start({ PATH: tools, PARLEY_CONFIG: join(stage.root, "config.toml") });
    const why = "✗ The task was not started: it would have to run in a sandbox, and none can be made: ";
    const without = await stage.type(["run", "[]", "--sandbox"]);
    expect([without.code, without.err]).toEqual([
      2,
      `${why}'bwrap' is not installed (Debian: apt install bubblewrap)\n`,
    ]);
    writeFileSync(
      join(tools, "bwrap"),
      '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n',
    );
    chmodSync(join(tools, "bwrap"), 0o755);
    const refused = await stage.type(["run", "[]", "--sandbox"]);
    expect([refused.code, refused.err]).toEqual([2, `${why}bwrap: No permissions to create new namespace\n`]);
    const home = await stage.type(["run", "[]", "--network", "none"]);
    expect([home.code, home.err]).toEqual([2, "✗ A network is named for a sandbox: add --sandbox\n"]);
    expect((await stage.client().call("listTasks")).tasks).toEqual([]);
  });
});

inSandbox(
  "[SB4] it dies with its supervisor, whatever signals it does not hear; its question outlives the daemon",
  async () => {
    await withStage(async (stage) => {
      const asking = await stage.run([{ ask: [DATABASE] }, { say: "Thanks." }], "--sandbox");
      const { asks } = await stage.becomes(asking.id, isWaiting);
      await stage.kill9();
      // Its hooks start no daemon from in there: its supervisor does.
      expect(await holds(() => isUp(stage.paths))).toBe(true);
      await stage.type(["answer", asks[0] ?? "", "1"]);
      expect((await stage.becomes(asking.id, isDone)).run).toBe(1);

      shellAgent(stage);
      // Nobody else on this machine sleeps for so long.
      const seconds = 100_000 + (Date.now() % 1_000_000);
      const typed = await stage.type([
        "run",
        `trap '' TERM HUP; setsid sleep ${seconds} & exec sleep ${seconds}`,
        "--sandbox",
        "--json",
      ]);
      const { id } = JSON.parse(typed.out) as { id: string };
      const folder = runFolder(pathOfRun(stage.home, id, 1));
      const sleeping = () => processes().filter(({ command }) => command.startsWith(`sleep ${seconds}`));
      expect(await holds(() => sleeping().length === 2)).toBe(true);
      const [supervisor, agent] = [supervisorOf(folder), agentOf(folder)];
      process.kill(supervisor?.pid ?? 0, "SIGKILL");
      expect(await holds(() => sleeping().length === 0 && !isAlive(agent ?? { pid: 0 }))).toBe(true);
    });
  },
);

inSandbox(
  "[SB5] the network is what was named: nothing else of this machine, nor of any other, is reached",
  async () => {
    await withStage(async (stage) => {
      shellAgent(stage);
      const served = [
        Bun.serve({ port: 0, fetch: () => new Response("one") }),
        Bun.serve({ port: 0, fetch: () => new Response("two") }),
      ];
      const [named = 0, other = 0] = served.map(({ port }) => port);
      const get = (url: string, more = "") =>
        `${BUN} -e 'await fetch("${url}"${more}).then(async (r) => console.log(r.status, await r.text())).catch(() => console.log("no"))'`;
      const local = (port: number | null) => get(`http://127.0.0.1:${port}/`);
      const both = `${local(named)}; ${local(other)}; ${local(stage.registration().port)}`;
      try {
        expect(await says(stage, both, "--network", `127.0.0.1:${named},127.0.0.1:${stage.registration().port}`)).toBe(
          "200 one\nno\nno",
        );
        expect(await says(stage, both, "--network", "none")).toBe("no\nno\nno");
        expect(await says(stage, `${local(named)}; ${local(other)}`, "--network", "host")).toBe("200 one\n200 two");
        const proxy = `${BUN} -e 'const s = require("node:net").connect(3128, "127.0.0.1"); s.write("CONNECT example.com:443 HTTP/1.1\\r\\n\\r\\n"); s.on("data", (d) => (console.log(String(d).split("\\r\\n")[0]), process.exit()))'`;
        expect(await says(stage, proxy)).toBe("HTTP/1.1 403 Forbidden");
      } finally {
        for (const server of served) await server.stop(true);
      }
    });
  },
);

/** Puts what `-v` names into a bubblewrap, as an engine puts it into a container. */
const ENGINE = `#!/bin/sh
set -e
printf '%s\\n' "$@" > "$ENGINE_LOG"
words=""
while [ "$1" != image ]; do
  case "$1" in
    -v) from=\${2%%:*}; rest=\${2#*:}; at=\${rest%%:*}
      case "$rest" in *:rw) how=--bind;; *) how=--ro-bind;; esac
      words="$words $how $from $at"; shift 2;;
    -w) cd=$2; shift 2;;
    -e|--network) shift 2;;
    *) shift;;
  esac
done
shift
exec bwrap --unshare-all --die-with-parent --new-session --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --ro-bind /etc /etc --proc /proc --dev /dev --tmpfs /tmp --tmpfs /run $words --chdir "$cd" -- "$@"
`;

inSandbox(
  "[SB6] a container engine gets the same mounts, environment and socket in the places of its words",
  async () => {
    const words = [
      "{engine}",
      "run",
      "--rm",
      "--network",
      "{network}",
      "{mounts}",
      "{env}",
      "-w",
      "{workdir}",
      "image",
    ];
    await withStage(async (stage) => {
      const engine = join(stage.root, "engine");
      const log = join(stage.root, "engine.log");
      // An agent that is a link, as in `~/.local/bin`: no engine makes one.
      const [link, own] = [join(stage.root, "bin/claude"), join(stage.root, "own-claude")];
      renameSync(link, own);
      symlinkSync(own, link);
      writeFileSync(engine, ENGINE.replace("$ENGINE_LOG", log));
      chmodSync(engine, 0o755);
      const list = words.map((word) => JSON.stringify(word.replace("{engine}", engine))).join(", ");
      writeFileSync(
        join(stage.root, "config.toml"),
        `[tasks]\npark_after_seconds = 86400\n${READ}\nsandbox = [${list}]\n`,
      );
      const made = await stage.run([{ ask: [DATABASE] }, { say: "Thanks." }]);
      expect(made.order.sandbox).toMatchObject({ network: "agent", command: [engine, ...words.slice(1)] });
      const { asks, workdir } = await stage.becomes(made.id, isWaiting);
      const given = readFileSync(log, "utf8").split("\n");
      const root = workdir?.root ?? "";
      for (const mount of [`${root}:${root}:rw`, `${join(stage.home, "inside", made.id)}:/run/parley:ro`])
        expect(given[given.indexOf(mount) - 1]).toBe("-v");
      for (const at of [link, own]) expect(given).toContain(`${own}:${at}:ro`);
      expect(given).toContain(own);
      expect(given[given.indexOf("PARLEY_HOME") - 1]).toBe("-e");
      expect(given[given.indexOf("--network") + 1]).toBe("none");
      expect(given.some((word) => word.startsWith(`${stage.home}:`) || word.includes("daemon.json"))).toBe(false);
      expect((await stage.type(["tasks"], { env: { COLUMNS: "140" } })).out).toMatch(/\bsandbox\b/);
      const told = await stage.type(["answer", asks[0] ?? "", "2"]);
      expect(told.out + told.err).toContain("Claude Code (in a sandbox)");
      expect((await stage.becomes(made.id, isDone)).said).toBe("Thanks.");
      // The person's word counts more; nobody else has one.
      expect((await stage.run([{ say: "Hello" }], "--no-sandbox")).order.sandbox).toBeUndefined();
    });
  },
);

inSandbox(
  "[SB7] what it commits comes out as commits, what its person commits goes in, and a check runs in there too",
  async () => {
    await withStage(async (stage) => {
      shellAgent(stage);
      const who = "-c user.name=A -c user.email=a@example.com";
      const first = `echo a > a.txt; git add -A; git ${who} commit -qm first; git ${who} stash list; git status --porcelain`;
      const gate = `git log --format=%s | grep -qx first && ! test -e ${stage.home}/daemon.json`;
      const typed = await stage.type(["run", first, "--sandbox", "--gate", gate, "--json"]);
      const { id, workdir } = JSON.parse(typed.out) as { id: string; workdir: { root: string; branch: string } };
      const done = await stage.becomes(id, isDone);
      expect(done).toMatchObject({ checked: { ok: true }, diff: { files: 1 } });
      expect(stage.git("log", "-1", "--format=%s", workdir.branch)).toBe("first");
      expect(stage.git("-C", workdir.root, "status", "--porcelain")).toBe("");
      stage.git("-C", workdir.root, "commit", "--allow-empty", "-qm", "by a person");
      expect((await stage.type(["task", "retry", id])).code).toBe(0);
      await stage.becomes(id, (task) => isDone(task) && task.attempt === 2);
      expect(stage.git("log", "--format=%s", workdir.branch).split("\n").slice(0, 3)).toContain("by a person");
      expect((await stage.type(["task", "apply", id])).code).toBe(0);
      expect(existsSync(join(stage.project, "a.txt"))).toBe(true);
      expect((await stage.type(["task", "discard", id, "--yes"])).code).toBe(0);
      expect(existsSync(join(stage.home, "worktrees", `.git-of-${workdir.root.split("/").at(-1)}`))).toBe(false);
      rmSync(join(stage.root, "bin/claude"));
    });
  },
);

inSandbox(
  "[SB8] an agent gives no task without the sandbox that its person wants, nor says what one reaches",
  async () => {
    await withStage(async (stage) => {
      const agent = startAgent(stage, "session-a", { PATH: `${join(stage.root, "bin")}:${process.env["PATH"]}` });
      const order = ["run", JSON.stringify([{ say: "Hello" }]), "--json", "--cwd", stage.project];
      const run = (...more: string[]) => ({ run: [...order, ...more] });
      try {
        for (const [words, args] of [
          ["Only a person may give a task without its sandbox", ["--no-sandbox"]],
          ["Only a person may say what a sandbox reaches", ["--network", "host"]],
        ] as const) {
          const { code, err } = await agent.does(run(...args));
          expect([code, err]).toEqual([77, expect.stringContaining(words)]);
        }
        const { out } = await agent.does(run());
        const task = JSON.parse(out) as { id: string };
        expect(await stage.becomes(task.id, isDone)).toMatchObject({
          order: { sandbox: { network: "agent" } },
          by: {},
        });
        // Around a home nothing would be left outside.
        const around = await stage.type(["run", "[]", "--sandbox", "--json"], { cwd: stage.user });
        const wrong = await stage.becomes((JSON.parse(around.out) as { id: string }).id, isWaiting);
        const { questions } = await stage.client().call("getAsk", { id: wrong.asks[0] ?? "" });
        expect(questions[0]?.body).toContain(`A sandbox cannot be made around ${stage.user}`);
      } finally {
        await agent.ends();
      }
    }, `${READ}\nsandbox = true`);
  },
);
