import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/lab/free-port.ts";
import { eventually } from "../patience.ts";

const PROGRAM = Bun.which("pgbouncer", { PATH: `${process.env["PATH"]}:/usr/sbin` });
/** Why tests with a real pgbouncer are skipped. With CI=true they are not: they fail. */
export const noPooler: string | undefined =
  PROGRAM !== null || process.env["CI"] === "true" ? undefined : "pgbouncer is not installed";

/** A real pgbouncer before a server of a test, with these lines in its settings. */
export async function startPooler(server: number, settings: readonly string[]) {
  if (PROGRAM === null) throw new Error("pgbouncer is not installed (Debian: apt-get install pgbouncer)");
  const dir = mkdtempSync(join(tmpdir(), "parley-pooler-"));
  const port = freePort();
  const file = join(dir, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `postgres = host=127.0.0.1 port=${server} dbname=postgres user=parley`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    ...settings,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  // It refuses to run as root, as the server does.
  const isRoot = process.getuid?.() === 0;
  const other = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
  if (isRoot) for (const each of [dir, file]) chownSync(each, 65534, 65534);
  const child = Bun.spawn([...other, PROGRAM, file], { cwd: dir, stdio: ["ignore", "ignore", "pipe"] });
  await eventually(async () => {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => undefined } });
    socket.end();
  });
  return {
    url: `postgresql://parley@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
