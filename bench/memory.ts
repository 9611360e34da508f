// What many requests leave behind in the daemon.
import { question } from "../test/e2e/api-request.ts";
import { type Part, type Row } from "./row.ts";
import { buildInstalled, INSTALLED, openStage, residentKb, SOURCE, type Stage } from "./stage.ts";

const REQUESTS = 100_000;
const WARM_UP = 5000;
const AT_ONCE = 20;

export const memory: Part = {
  name: "memory",
  about: `what ${REQUESTS.toLocaleString("en")} requests of each kind leave behind`,
  notes: [
    `Memory: resident memory of the daemon after ${WARM_UP.toLocaleString("en")} requests of a kind and after ${REQUESTS.toLocaleString("en")} more, ${AT_ONCE} at once over the private socket; from source, and as the npm package has it, which is what people run. Nothing is set up: no messenger, hub, autopilot or task. A kilobyte left by each would be ${Math.round(REQUESTS / 1024)} MB.`,
  ],
  async run(say) {
    buildInstalled();
    return [...(await measured(SOURCE, "from source", say)), ...(await measured(INSTALLED, "installed", say))];
  },
};

async function measured(command: readonly string[], how: string, say: (words: string) => void): Promise<Row[]> {
  const stage = await openStage(command);
  try {
    await stage.start();
    const { agent, human } = stage.tokens();
    const lines = await Promise.all(Array.from({ length: AT_ONCE }, stage.open));
    const [first] = lines;
    const asked = await first?.send("POST", "/api/asks", agent, JSON.stringify({ questions: [question()] }));
    const { id } = JSON.parse(asked?.body ?? "{}") as { id: string };
    const kinds: [string, Parameters<(typeof lines)[0]["send"]>][] = [
      ["an answer that is not there", ["GET", `/api/asks/${id}/answer?wait=0`, agent]],
      ["a look at the inbox", ["GET", "/api/asks", human]],
      ["a look at the tasks", ["GET", "/api/tasks", human]],
    ];
    const rows: Row[] = [];
    for (const [what, request] of kinds) {
      say(`${what}, ${how}`);
      const ask = async (count: number) => {
        await Promise.all(
          lines.map(async (line) => {
            for (let i = 0; i < count / AT_ONCE; i++) await line.send(...request);
          }),
        );
        return memoryOf(stage);
      };
      const before = await ask(WARM_UP);
      const after = await ask(REQUESTS);
      rows.push({
        what: `${REQUESTS.toLocaleString("en")} × ${what}: memory of the daemon, ${how}`,
        measured: `${after.toFixed(0)} MB`,
        beside: `before: ${before.toFixed(0)} MB`,
      });
    }
    for (const line of lines) line.close();
    return rows;
  } finally {
    await stage.dispose();
  }
}

/** Once it has come to rest. */
async function memoryOf(stage: Stage): Promise<number> {
  await Bun.sleep(2000);
  return residentKb(stage.pid()) / 1024;
}
