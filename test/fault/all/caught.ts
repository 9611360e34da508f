import { createClient } from "../../../src/client/client.ts";
import { question } from "../../e2e/api-request.ts";
import { createProgram, holds } from "../../e2e/program.ts";
import { endAll } from "../power/record.ts";

/** A daemon that is wrong on purpose is killed right after it said yes; the real one says what is left. */
export async function isPlantedCaught(command: readonly string[]): Promise<{ caught: number; of: number }> {
  const of = 3;
  let caught = 0;
  for (let i = 0; i < of; i++) {
    const program = createProgram();
    try {
      // Its home is there, and the port is free again.
      await program.start();
      await program.terminate();
      const env = { PATH: process.env["PATH"] ?? "", HOME: program.user, PARLEY_HOME: program.home, PARLEY_PORT: "0" };
      const daemon = Bun.spawn([...command, "serve", "--detached"], { env, stdio: ["ignore", "ignore", "ignore"] });
      const agent = createClient(program.paths, { as: "agent", wakes: false });
      let id = "";
      await holds(async () => {
        const made = await agent.call("createAsk", { body: { questions: [question()] } }).catch(() => undefined);
        return (id = made?.id ?? "") !== "";
      });
      daemon.kill("SIGKILL");
      await daemon.exited;
      await program.start();
      const { asks } = await createClient(program.paths, { wakes: false }).call("listAsks", {
        query: { state: "all", limit: 10 },
      });
      if (!asks.some((ask) => ask.id === id)) caught++;
    } finally {
      await endAll(program.home);
      await program.dispose();
    }
  }
  return { caught, of };
}
