import { existsSync } from "node:fs";
import type { createHubLink, HubLink } from "./hub-link.ts";

type Deps = Parameters<typeof createHubLink>[0];
/** As the link itself, once it is read. */
export type LateLink = { [K in "state" | "join" | "accept" | "leave"]: Later<HubLink[K]> } & {
  start(): Promise<void>;
  stop(): void;
};
type Later<F extends (...given: never) => unknown> = (...given: Parameters<F>) => Promise<Awaited<ReturnType<F>>>;
const JOB = ["PARLEY_HUB_MACHINE_TOKEN", "PARLEY_HUB_MACHINE_TOKEN_FILE"];

/** This machine's side of a hub, read when it has joined one, or somebody asks about that. */
export function createLateLink(deps: Deps): LateLink {
  const { file, env = {} } = deps;
  let reading: Promise<HubLink> | undefined;
  let link: HubLink | undefined;
  let isStopped = false;

  async function read(): Promise<HubLink> {
    const { createHubLink } = await import("./hub-link.ts");
    link = createHubLink(deps);
    if (isStopped) link.stop();
    return link;
  }
  const get = () =>
    (reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    }));

  return {
    async start() {
      if (existsSync(file) || JOB.some((name) => env[name])) (await get()).start();
    },
    stop() {
      isStopped = true;
      link?.stop();
    },
    state: async () => (await get()).state(),
    join: async (...given) => (await get()).join(...given),
    accept: async (...given) => (await get()).accept(...given),
    leave: async () => (await get()).leave(),
  };
}
