import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openHubPostgres } from "../../src/store/postgres/hub.ts";
import { targetOf } from "../../src/store/postgres/open.ts";
import { unreachable } from "../../src/store/postgres/refusal.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { type Cluster, noServer, startCluster } from "./cluster.ts";

setDefaultTimeout(TEST_MS);
const PASSWORD = "a-word-nobody-may-see";

describe.skipIf(noServer !== undefined)(`refused by PostgreSQL${noServer ? ` (skipped: ${noServer})` : ""}`, () => {
  let [cluster, program]: [Cluster, Program] = [] as never;
  let other: ReturnType<typeof Bun.serve>;
  beforeAll(async () => {
    cluster = await startCluster();
    program = createProgram();
    other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("a page") });
    await cluster.psql("CREATE ROLE locked LOGIN PASSWORD 'another word'");
    await cluster.psql("CREATE ROLE guest LOGIN");
    const rules = "('host all locked 127.0.0.1/32 scram-sha-256'), ('host all all 127.0.0.1/32 trust')";
    await cluster.psql(`COPY (VALUES ${rules}) TO '${await cluster.psql("SHOW hba_file")}'`);
    await cluster.psql("SELECT pg_reload_conf()");
    await eventually(async () =>
      expect(await open("locked").catch((error) => error.message)).toContain("and none was given"),
    );
  });
  afterAll(async () => {
    await other?.stop(true);
    await program?.dispose();
    await cluster?.remove();
  });

  const urlOf = (user: string, database = "postgres", port: number | undefined = cluster.port) =>
    `postgresql://${user}@127.0.0.1:${port}/${database}`;
  const open = async (user: string) => (await openHubPostgres({ url: urlOf(user) })).close();
  const run = (args: string[], url: string, password = PASSWORD) =>
    program.parley(["hub", ...args, "--database", url], { env: { PARLEY_HUB_DATABASE_PASSWORD: password } });

  /** The hub and its doctor say the same, in one sentence and what to do. */
  async function bothSay(url: string, words: string, fix: string, { check = "server", password = PASSWORD } = {}) {
    expect(await run(["--listen", "127.0.0.1:0"], url, password)).toEqual({
      code: 2,
      out: "",
      err: `✗ ${words}. ${fix}\n`,
    });
    const doctor = await run(["doctor"], url, password);
    expect([doctor.code, doctor.err]).toEqual([1, ""]);
    expect(doctor.out).toContain(`✗ ${check}: ${words}\n  ${fix}\n`);
    expect(doctor.out).not.toContain(PASSWORD);
  }

  test("[HD5] a wrong password, or none, is said with where it comes from, and without it", async () => {
    const where = "--password-file or PARLEY_HUB_DATABASE_PASSWORD";
    const wrong = 'PostgreSQL does not take this password of "locked"';
    await bothSay(urlOf("locked"), wrong, `Correct it in ${where}, or the user in the URL`);
    const none = 'PostgreSQL wants a password of "locked", and none was given';
    await bothSay(urlOf("locked"), none, `Give it with ${where}`, { password: "" });
    const nobody = 'PostgreSQL does not let "nobody" in (role "nobody" does not exist)';
    const letIn = "Correct the user in the URL, or let it in: CREATE ROLE, and pg_hba.conf on the server";
    await bothSay(urlOf("nobody"), nobody, letIn);
  });

  test("[HD6] a database that is not there is said with how it is made", async () => {
    const make = 'Correct the name at the end of the URL, or make it: CREATE DATABASE "nothing" OWNER "parley"';
    await bothSay(urlOf("parley", "nothing"), 'There is no database "nothing" on that server', make);
  });

  test("[HD7] a host that is not there, or a server that is not PostgreSQL, is said at once", async () => {
    await bothSay(
      "postgresql://parley@no..such..host/postgres",
      'There is no host "no..such..host"',
      "Correct its name in the URL",
    );
    const correct = "Correct the host and the port in the URL";
    await bothSay(
      urlOf("parley", "postgres", other.port),
      `What answers at 127.0.0.1:${other.port} is not PostgreSQL`,
      correct,
    );
    using mute = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    // On a busy machine it may not even be connected by then.
    await eventually(async () =>
      expect(await unreachable(targetOf({ url: urlOf("parley", "postgres", mute.port) }), 200)).toEqual({
        words: `What listens at 127.0.0.1:${mute.port} says nothing; PostgreSQL would`,
        fix: correct,
      }),
    );
    // One that says nothing for a while may be busy, and so may one that cannot serve just now: who starts a hub waits for them.
    expect(await unreachable(targetOf({ url: urlOf("parley", "postgres", mute.port) }))).toBeUndefined();
    using full = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end("Ecould not fork new process for connection") },
    });
    // One of several that may be PostgreSQL, or is not there just now, is reason to go on.
    for (const hosts of [`no..such..host,127.0.0.1:${cluster.port}`, "127.0.0.1:1", `127.0.0.1:${full.port}`])
      expect(await unreachable(targetOf({ url: `postgresql://parley@${hosts}/postgres` }))).toBeUndefined();
    const away = openHubPostgres({ url: urlOf("parley", "postgres", 1), patienceMs: 1 });
    expect(await away.catch(({ code, message }) => [code, message])).toEqual([
      "database_away",
      expect.stringMatching(/^PostgreSQL did not answer for 0 s \(.*ECONNREFUSED.*\)\. Start it, or correct/),
    ]);
  });

  test("[HD8] where nobody may make tables it is said who may not, where, and what allows it; that helps", async () => {
    await cluster.psql("CREATE DATABASE closed");
    const words = '"guest" may not make the schema "parley" in the database "closed"';
    const grant = 'GRANT CREATE ON DATABASE "closed" TO "guest"';
    await bothSay(urlOf("guest", "closed"), words, `As its owner: ${grant}`, { check: "schema" });
    await cluster.psql(grant);
    const asGuest = { url: urlOf("guest", "closed") };
    await (await openHubPostgres(asGuest)).close();
    // What is there it may use, also where it may make no more.
    await cluster.psql(grant.replace("GRANT", "REVOKE").replace(" TO ", " FROM "));
    await (await openHubPostgres(asGuest)).close();
    expect((await run(["doctor"], asGuest.url)).code).toBe(0);
    await cluster.psql("CREATE ROLE late LOGIN");
    const theirs = 'The tables in the schema "parley" of the database "closed" belong to "guest", not to "late"';
    await bothSay(urlOf("late", "closed"), theirs, 'Name "guest" in the URL', { check: "schema" });
    await cluster.psql("CREATE SCHEMA parley");
    const use = 'GRANT USAGE, CREATE ON SCHEMA "parley" TO "late"';
    const none = '"late" may not make tables in the schema "parley" of the database "postgres"';
    await bothSay(urlOf("late"), none, `As "parley": ${use}`, { check: "schema" });
    await cluster.psql(use);
    await (await openHubPostgres({ url: urlOf("late") })).close();
  });

  test("[HD9] an address that cannot be read is said without quoting it: a password may stand in it", async () => {
    const words = "What was given as the database cannot be read as an address";
    for (const url of [
      `postgresql://parley:${PASSWORD}@x@127.0.0.1/postgres`,
      `postgresql://parley:1/${PASSWORD}@127.0.0.1/postgres`,
      `postgresql://parley:${PASSWORD}@127.0.0.1:99999/postgres`,
    ]) {
      const env = { PARLEY_HUB_DATABASE: url };
      for (const sub of [[], ["doctor"]]) {
        const { code, out, err } = await program.parley(["hub", ...sub], { env });
        expect([code, `${out}${err}`.includes(words), `${out}${err}`.includes(PASSWORD)]).toEqual([
          sub.length === 0 ? 2 : 1,
          true,
          false,
        ]);
      }
    }
  });
});
