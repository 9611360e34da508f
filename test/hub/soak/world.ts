import { expect } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Place, withHub } from "../../../src/hubs.ts";
import { isAlive } from "../../../src/machine/process/process.ts";
import { createProgram, COMMAND, type Program } from "../../e2e/program.ts";
import { eventually } from "../../patience.ts";
import { firstLine } from "../hub-stage.ts";
import { type Databases, startDatabases } from "./database.ts";
import { startWire, type Wire } from "./wire.ts";

export type Size = { hubs: number; daemons: number; agents: number; people: number };
export type HubOf = {
  port: number;
  /** To each place of the database's URL. */
  wires: Wire[];
  isUp: boolean;
  start(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
};
export type Machine = { program: Program; project: string; wire: Wire; isAsleep: boolean; isDown: boolean; id: string };
export type Person = { name: string; token: string };
export type World = Awaited<ReturnType<typeof openWorld>>;
type Options = Size & {
  /** Whether hubs keep what they know in PostgreSQL, with a standby; else in a folder of theirs, and there is one hub. */
  postgres: boolean;
  /** What starts a hub, if not the program itself. */
  hubCommand?: readonly string[];
};

/** Hubs behind a load balancer, machines that joined, each with a line of its own, and people with a token. */
export async function openWorld(options: Options) {
  const { hubs: hubCount, daemons, people: peopleCount, postgres, hubCommand = COMMAND } = options;
  const root = mkdtempSync(join(tmpdir(), "parley-hubs-"));
  const databases: Databases | undefined = postgres ? await startDatabases() : undefined;
  const data = join(root, "hub");
  const place = (): Place => (databases ? { database: databases.url() } : { data });
  const hubs: HubOf[] = [];
  for (let i = 0; i < hubCount; i++) hubs.push(await createHub());
  const upPorts = () => hubs.filter(({ isUp }) => isUp).map(({ port }) => port);
  const machines: Machine[] = [];
  for (let i = 0; i < daemons; i++) machines.push(await createMachine(i));
  const people: Person[] = [];
  for (let i = 0; i < peopleCount; i++) people.push(await createPerson(`Member ${i}`));

  async function createHub(): Promise<HubOf> {
    const wires = databases ? await Promise.all([0, 1].map((slot) => startWire(() => databases.ports(slot)))) : [];
    const hosts = wires.map(({ port }) => `127.0.0.1:${port}`).join(",");
    const where = databases
      ? ["--database", `postgresql://parley@${hosts}/postgres?target_session_attrs=read-write`]
      : ["--data", data];
    let child: Bun.Subprocess<"ignore", "pipe", "ignore"> | undefined;
    const hub: HubOf = {
      port: 0,
      wires,
      isUp: false,
      async start() {
        // While its database is away it does not start: whoever runs it starts it again.
        await eventually(async () => {
          const how = ["--listen", `127.0.0.1:${hub.port}`, "--drain", "0", "--json"];
          child = Bun.spawn([...hubCommand, "hub", ...where, ...how], {
            cwd: root,
            env: { PATH: process.env["PATH"] ?? "", HOME: root, PARLEY_HOME: join(root, "home") },
            stdio: ["ignore", "pipe", "ignore"],
          });
          hub.port = Number(new URL((JSON.parse(await firstLine(child.stdout)) as { url: string }).url).port);
        });
        hub.isUp = true;
      },
      async end(signal) {
        hub.isUp = false;
        child?.kill(signal);
        await child?.exited;
      },
    };
    await hub.start();
    return hub;
  }

  async function createMachine(n: number): Promise<Machine> {
    const program = createProgram();
    const project = join(program.user, "project");
    mkdirSync(project);
    await program.start();
    const wire = await startWire(upPorts);
    const { code } = await withHub(place(), (admin) => admin.code(60 * 60_000));
    const body = { url: `http://127.0.0.1:${wire.port}`, code, projects: [project], name: `machine-${n}` };
    const { machine } = await program.client().call("joinHub", { body });
    return { program, project, wire, isAsleep: false, isDown: false, id: machine.id };
  }

  async function createPerson(name: string): Promise<Person> {
    const { token } = await withHub(place(), (admin) => admin.token({ member: name, role: "answerer" }));
    return { name, token };
  }

  const pidOf = ({ program }: Machine) => program.registration().process;

  return {
    ...options,
    hubs,
    machines,
    people,
    databases,
    place,
    upPorts,
    /** Whether its line stands, begun after this moment of the clock. */
    async isConnected({ program }: Machine, after: number): Promise<boolean> {
      const { state, since = 0 } = await program.client().call("hubState");
      return state === "connected" && since >= after;
    },
    sleep(machine: Machine): void {
      const { pid } = pidOf(machine);
      machine.isAsleep = true;
      process.kill(pid, "SIGSTOP");
    },
    wake(machine: Machine): void {
      const found = pidOf(machine);
      if (isAlive(found)) process.kill(found.pid, "SIGCONT");
      machine.isAsleep = false;
    },
    async close(): Promise<void> {
      for (const machine of machines) if (machine.isAsleep) process.kill(pidOf(machine).pid, "SIGCONT");
      const ended = await Promise.allSettled(machines.map(({ program }) => program.dispose()));
      for (const { wire } of machines) wire.stop();
      for (const hub of hubs) {
        await hub.end("SIGKILL");
        for (const wire of hub.wires) wire.stop();
      }
      await databases?.remove();
      rmSync(root, { recursive: true, force: true });
      for (const each of ended) expect(each).toMatchObject({ status: "fulfilled" });
    },
  };
}
