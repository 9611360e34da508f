import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectHub, type HubClient } from "../../src/client/hub-client.ts";
import { expect } from "bun:test";
import { asking } from "../e2e/ask-asking.ts";
import { COMMAND, createProgram, type Program } from "../e2e/program.ts";
import { eventually, UNTIL_RECEIVED } from "../patience.ts";

export type HubProcess = {
  url: string;
  page?: string;
  firstMemberLink?: string;
  /** Without waiting for its end. */
  signal(signal: NodeJS.Signals): void;
  kill(signal?: NodeJS.Signals): Promise<number | null>;
  ended(): Promise<number | null>;
  start(): Promise<void>;
};
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** One hub, and one machine with a folder that is shared; nothing has joined yet. */
export async function openStage({ place, env = {} }: { place?: string[]; env?: Record<string, string> } = {}) {
  const machine = createProgram();
  const where = place ?? ["--data", join(machine.root, "hub")];
  const project = join(machine.user, "project");
  mkdirSync(project);
  const running: HubProcess[] = [];

  async function startHub(...more: string[]): Promise<HubProcess> {
    let child: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;
    const hub: HubProcess = {
      url: "",
      signal: (signal) => child?.kill(signal),
      ended: async () => (await child?.exited) ?? null,
      async kill(signal = "SIGKILL") {
        hub.signal(signal);
        return hub.ended();
      },
      async start() {
        // Where it was before, somebody else's connection may have its port for a moment.
        await (hub.url === "" ? begin("127.0.0.1:0") : eventually(() => begin(new URL(hub.url).host)));
      },
    };
    async function begin(listen: string): Promise<void> {
      child = Bun.spawn([...COMMAND, "hub", ...where, "--listen", listen, "--json", "--drain", "0", ...more], {
        cwd: machine.root,
        env: { PATH: process.env["PATH"] ?? "", HOME: machine.user, PARLEY_HOME: machine.home, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const { url, page, firstMemberLink } = JSON.parse(await firstLine(child.stdout)) as HubProcess;
      Object.assign(hub, { url, page, firstMemberLink });
    }
    await hub.start();
    running.push(hub);
    return hub;
  }

  /** On the hub's host, with its database. */
  async function admin(...args: string[]) {
    const { code, out, err } = await machine.parley(["hub", ...args, ...where, "--json"], { env });
    if (code !== 0) throw new Error(`parley hub ${args.join(" ")}: ${err}`);
    return JSON.parse(out);
  }

  /** Somebody with a token: as the program sees them, and by its environment. */
  async function person(hub: { url: string }, name: string, role: string, ...more: string[]) {
    const { token } = await admin("token", "--member", name, "--role", role, ...more);
    const file = join(machine.root, `token-${name}-${role}`);
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    const own = { PARLEY_HUB: hub.url, PARLEY_HUB_TOKEN_FILE: file, ...UNTIL_RECEIVED };
    return { env: own, token, client: await connectHub(own) };
  }

  return {
    machine,
    project,
    startHub,
    admin,
    person,
    async join(hub: { url: string }, from: Program = machine, folder = project, ...more: string[]) {
      const { code } = await admin("code");
      const args = ["join", hub.url, "--code", code, "--project", folder, "--yes", "--json", ...more];
      const joined = await from.parley(args);
      if (joined.code !== 0) throw new Error(joined.err);
      return JSON.parse(joined.out);
    },
    /** A question on the machine, and whoever waits for its answer. */
    ask: (words: string, cwd = project) => asking(machine, [words, "-o", "Yes", "-o", "No"], { cwd }),
    async [Symbol.asyncDispose]() {
      for (const hub of running) await hub.kill();
      await machine.dispose();
    },
  };
}

/** The Ask as the hub shows it, once it is so. */
export const shown = (client: HubClient, id: string, as: object) =>
  eventually(async () => {
    const ask = await client.ask(id);
    expect(ask).toMatchObject(as);
    return ask;
  });

export async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
  }
  throw new Error("the hub did not start");
}
