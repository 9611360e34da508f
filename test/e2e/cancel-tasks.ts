import type { Client } from "../../src/client/client.ts";
import { ParleyError } from "../../src/core/error.ts";

/** Whatever still goes on; answers which. One may end by itself between the look and the call. */
export async function cancelTasks(client: Client): Promise<string[]> {
  const { tasks } = await client.call("listTasks", { query: { state: "active" } });
  for (const { id } of tasks)
    await client.call("taskCancel", { id, body: {} }).catch((error: unknown) => {
      if (!(error instanceof ParleyError && error.code === "already_settled")) throw error;
    });
  return tasks.map(({ id }) => id);
}
