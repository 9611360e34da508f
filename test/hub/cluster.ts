import { Glob } from "bun";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/lab/free-port.ts";
import { eventually } from "../patience.ts";

/** Where the server's programs are, the newest version; undefined: none is installed. */
export const postgresPrograms = findPrograms();

/** Why tests with a real server are skipped. With CI=true they are not: they fail. */
export const noServer: string | undefined =
  postgresPrograms || process.env["CI"] === "true" ? undefined : "PostgreSQL's server is not installed";

type Options = { durable?: boolean; standbyOf?: Cluster };

export type Cluster = {
  url: string;
  port: number;
  /** The process itself, with -9: nothing it has in memory is written. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** A statement of a person, as psql says it. */
  psql(sql: string): Promise<string>;
  remove(): Promise<void>;
};

/**
 * A server of one's own in a temporary folder. `durable`: it writes through to the disk, as a real one does; `standbyOf`: it
 * follows this one and takes its place when it is promoted.
 */
export async function startCluster({ durable = false, standbyOf }: Options = {}): Promise<Cluster> {
  if (!postgresPrograms) throw new Error("PostgreSQL's server is not installed (Debian: apt-get install postgresql)");
  const bin = postgresPrograms;
  const dir = mkdtempSync(join(tmpdir(), "parley-pg-"));
  // The server refuses to run as root.
  const other = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
  if (other.length > 0) chownSync(dir, 65534, 65534);
  const data = join(dir, "data");
  const spawn = (command: string[]) =>
    Bun.spawn([...other, ...command], {
      cwd: dir,
      stdio: ["ignore", "pipe", "pipe"],
      env: { LC_ALL: "C", PATH: process.env["PATH"] },
    });
  const source = `host=127.0.0.1 port=${standbyOf?.port} user=parley application_name=standby`;
  if (standbyOf)
    await succeed(
      spawn([`${bin}/pg_basebackup`, "-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", source]),
    );
  else
    await succeed(
      spawn([`${bin}/initdb`, "-D", data, "-A", "trust", "-U", "parley", "-E", "UTF8", "--locale=C", "--no-sync"]),
    );
  let [port, wasUp] = [freePort(), false];
  let server: ReturnType<typeof spawn> | undefined;
  const psql = (sql: string) =>
    succeed(spawn([`${bin}/psql`, "-h", "127.0.0.1", "-p", String(port), "-U", "parley", "-Atqc", sql, "postgres"]));

  async function start(): Promise<void> {
    const settings = [
      "listen_addresses=127.0.0.1",
      "shared_buffers=16MB",
      "max_connections=60",
      "log_min_messages=fatal",
      // A primary that is back waits for its standby, which by default looks for it every five seconds.
      "wal_retrieve_retry_interval=500ms",
    ];
    const fast = durable ? [] : ["fsync=off", "full_page_writes=off"];
    // Right after a kill what belonged to the one before may not be gone yet.
    await eventually(async () => {
      if (!server || server.exitCode !== null || server.signalCode !== null) {
        if (server && !wasUp) port = freePort();
        server = spawn([
          `${bin}/postgres`,
          "-D",
          data,
          "-k",
          dir,
          "-p",
          String(port),
          ...[...settings, ...fast].flatMap((each) => ["-c", each]),
        ]);
      }
      // Whoever answers there may be another one, which was faster.
      if ((await psql("SHOW data_directory")) !== data) throw new Error(`somebody else's server is at ${port}`);
      wasUp = true;
    });
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    server?.kill(signal);
    await server?.exited;
  }

  await start();
  return {
    url: `postgresql://parley@127.0.0.1:${port}/postgres`,
    port,
    start,
    kill: () => end("SIGKILL"),
    psql,
    async remove() {
      await end("SIGQUIT");
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function succeed(child: Bun.Subprocess<"ignore", "pipe", "pipe">): Promise<string> {
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`exit ${code}: ${err || out}`);
  return out.trimEnd();
}

function findPrograms(): string | undefined {
  const found = [
    ...new Glob("*/bin/postgres").scanSync({
      cwd: "/usr/lib/postgresql",
      absolute: true,
      throwErrorOnBrokenSymlink: false,
    }),
  ];
  const newest = found.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  return newest?.slice(0, -"/postgres".length);
}
