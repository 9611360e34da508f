import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "../e2e/program.ts";
import { asking } from "../e2e/ask-asking.ts";
import { TEST_MS } from "../patience.ts";
import { openStage, shown } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);

test("[HX7] somebody at a terminal sees what there is to choose from on another machine; who was second there learns who, when and what", async () => {
  await using stage = await openStage();
  const hub = await stage.startHub();
  await stage.join(hub, stage.machine, stage.project, "--name", "laptop");
  const ann = await stage.person(hub, "Ann", "answerer");
  const typed = ["Which region?", "--wait", "-o", "eu: Frankfurt", "-o", "us: Virginia"];
  const asked = await asking(stage.machine, typed, { cwd: stage.project });
  const { id } = asked;
  await shown(ann.client, id, { state: "open" });
  const parley = (...args: string[]) => stage.machine.parley(args, { env: ann.env });

  const page = await parley("show", id.slice(0, 6), "--hub");
  expect([page.code, page.err]).toEqual([0, ""]);
  for (const words of ["Which region?", "eu", "Frankfurt", "us", "Virginia", "On laptop", "--hub"])
    expect(page.out).toContain(words);
  expect(JSON.parse((await parley("show", id, "--hub", "--json")).out)).toMatchObject({
    id,
    machine: { name: "laptop", online: true },
  });
  expect(await parley("answer", id, "--hub")).toMatchObject({
    code: 2,
    err: expect.stringMatching(/parley answer \w+ <number> --hub; see: parley show \w+ --hub/),
  });
  expect((await parley("show", id, "--hub", "--md")).code).toBe(2);

  // Settled on its own machine: whoever comes later through the hub hears who, when and what.
  expect((await stage.machine.parley(["answer", id, "2"], { cwd: stage.project })).code).toBe(0);
  expect(await asked.ended).toMatchObject({ code: 0, out: "us\n" });
  await shown(ann.client, id, { state: "verified" });
  expect(await parley("answer", id, "1", "--hub")).toMatchObject({
    code: 4,
    out: expect.stringMatching(/^✗ too late: Already settled on laptop: answered by cli .* ago: us\n$/),
  });
  expect((await parley("show", id, "--hub")).out).toContain("On laptop");
  expect((await parley("ask", "a?", "--wait", "--no-wait")).err).toContain("Choose one: --wait or --no-wait");
});

test("[HX8] a wrong place of a hub is said in words, at once, and nothing is made there by looking", async () => {
  const program = createProgram();
  const parley = (...args: string[]) => program.parley(["hub", ...args]);
  const nowhere = join(program.root, "mistyped");
  for (const look of [
    ["members"],
    ["members", "--sessions"],
    ["machines"],
    ["revoke", "Ann"],
    ["audit", "verify"],
    ["audit", "export", "--out", join(program.root, "log")],
    ["audit", "forget", "--older", "1d"],
  ])
    expect(await parley(...look, "--data", nowhere)).toMatchObject({
      code: 3,
      err: `✗ There is no hub in ${nowhere}: name its folder with --data, or its --database\n`,
    });
  expect(await parley("doctor", "--data", nowhere)).toMatchObject({ code: 0, out: expect.stringContaining("yet") });
  expect(existsSync(nowhere)).toBe(false);

  for (const [args, words] of [
    [["--database", "mysql://ann@db/parley"], "--database: expected postgresql://user@host/name"],
    [["--database", "postgresql://ann@db/parley?password=secret"], "Others see a password on the command line"],
    [["--database", "postgresql://ann:secret@db/parley"], "Others see a password on the command line"],
    [
      ["--database", "postgresql://ann@db/parley", "--password-file", "no-file"],
      "--password-file: no-file cannot be read (ENOENT)",
    ],
    [["--data", nowhere, "--tls-cert", "a.pem", "--tls-key", "b.pem"], "--tls-cert: a.pem cannot be read (ENOENT)"],
  ] as const) {
    const said = await parley(...args, "--listen", "127.0.0.1:0");
    expect([said.code, said.err]).toEqual([2, expect.stringContaining(words)]);
    expect(said.err).not.toContain("secret");
  }
  // Somebody else is there already.
  const other = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const taken = `127.0.0.1:${other.port}`;
  expect(await parley("--data", join(program.root, "hub"), "--listen", taken)).toMatchObject({
    code: 1,
    err: `✗ Something listens at ${taken} already: end it, or choose another place with --listen\n`,
  });
  other.stop(true);
  await program.dispose();
});

test("[HX9] a machine leaves at once, also when its hub says nothing, and says that it could not be told", async () => {
  await using stage = await openStage();
  const hub = await stage.startHub();
  await stage.join(hub);
  const { pid } = (await (await fetch(`${hub.url}/health`)).json()) as { pid: number };
  process.kill(pid, "SIGSTOP");
  try {
    expect(await stage.machine.parley(["leave"])).toMatchObject({
      code: 0,
      out: `✓ left ${hub.url}. It could not be told: somebody there should revoke this machine\n`,
    });
    expect(JSON.parse((await stage.machine.parley(["join", "--json"])).out)).toEqual({ joined: false });
  } finally {
    process.kill(pid, "SIGCONT");
  }
});

test("[HX15] a machine that left by itself is listed so, and who revokes one by its name means the one that is there", async () => {
  await using stage = await openStage();
  const hub = await stage.startHub();
  const first = (await stage.join(hub)).machine.id;
  expect(await stage.machine.parley(["leave"])).toMatchObject({ code: 0 });
  const second = (await stage.join(hub)).machine.id;
  const listed = async () =>
    (await stage.admin("machines")).machines.map(({ id, name, state }: Record<string, string>) => ({
      id,
      name,
      state,
    }));
  const [left, there] = await listed();
  expect(left).toEqual({ id: first, name: there.name, state: "left" });
  expect(there.id).toBe(second);
  expect(await stage.admin("revoke", there.name)).toMatchObject({ id: second, state: "revoked" });
  expect((await listed()).map(({ state }: { state: string }) => state)).toEqual(["left", "revoked"]);
});
