import { readdirSync, statSync } from "node:fs";
import { loadavg } from "node:os";
import { cpuMs, residentKb } from "../../../bench/stage.ts";
import { createTmux, type Tmux } from "../../../src/lab/tmux.ts";
import { COMMAND, type Program } from "../../e2e/program.ts";
import { createWeb, launch } from "../../web/browser.ts";
import type { Times } from "./crowd.ts";

export type Sample = {
  /** Since the start, in ms. */ at: number;
  /** Of the daemon, in MB. */ memory: number;
  descriptors: number;
  /** With its log, in MB. */ database: number;
  /** Share of a core that the daemon used since the last sample. */ busy: number;
  /** Of the page after its garbage was collected, in MB. */ page: number;
  /** Of the inbox, in MB. */ inbox: number;
  load: number;
  settled: number;
  times: Times;
};
export type Watch = {
  sample(more: Pick<Sample, "at" | "settled" | "times">): Promise<Sample>;
  /** Asks once more, when nothing else is open: whether page and inbox show it after all that time. */
  unseen(): Promise<string[]>;
  close(): Promise<void>;
};

/** The page in a real browser and the inbox in a real terminal, open all the time, and what everything costs. */
export async function openWatch(program: Program): Promise<Watch> {
  const browser = await launch();
  const web = await createWeb(browser, program);
  const page = await web.open();
  const session = await page.context().newCDPSession(page);
  const inbox: Tmux = await createTmux();
  await inbox.open({
    command: COMMAND,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: program.user,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      PARLEY_HOME: program.home,
      PARLEY_PORT: "0",
    },
    cwd: program.user,
    width: 140,
    height: 45,
  });
  await inbox.waitFor(/Waiting \d+/);
  const { pid } = program.registration().process;
  let [spent, spentAt] = [cpuMs(pid), performance.now()];

  return {
    async sample(more) {
      // A daemon that was started again is a finding: its number is another one.
      const [cpu, now] = [cpuMs(pid), performance.now()];
      const busy = (100 * (cpu - spent)) / (now - spentAt);
      [spent, spentAt] = [cpu, now];
      await session.send("HeapProfiler.collectGarbage");
      const { usedSize } = await session.send("Runtime.getHeapUsage");
      return {
        ...more,
        memory: residentKb(pid) / 1024,
        descriptors: readdirSync(`/proc/${pid}/fd`).length,
        database: bytesOf(program.paths.database) / 2 ** 20,
        busy,
        page: usedSize / 2 ** 20,
        inbox: residentKb(inbox.panePid()) / 1024,
        load: loadavg()[0] ?? 0,
      };
    },
    async unseen() {
      const text = `Is this still seen, ${crypto.randomUUID().slice(0, 8)}?`;
      const { id } = await web.ask({ question: text });
      const missing: string[] = [];
      const tell = (where: string) => (error: unknown) => void missing.push(`${where}: ${String(error)}`);
      await page.getByText(text).first().waitFor().catch(tell("the page"));
      await inbox
        .waitFor((screen) => screen.replaceAll(/\s+/g, " ").includes(text.slice(0, 20)))
        .catch(tell("the inbox"));
      await program.client().call("settleAsk", { id, body: { action: "decline" } });
      await program.client("agent").call("receiveAnswer", { id, query: { wait: 0 } });
      return missing;
    },
    async close() {
      await inbox.close();
      await web[Symbol.asyncDispose]().finally(() => browser.close());
    },
  };
}

function bytesOf(database: string): number {
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size(database) + size(`${database}-wal`);
}
