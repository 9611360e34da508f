import type { Client } from "../../client/client.ts";
import { ParleyError } from "../../core/error.ts";
import type { AskView } from "../../protocol/view.ts";

/** The Ask a person means, by its id or a unique beginning of it, in small or capital letters. */
export async function findAsk(client: Client, typed: string): Promise<AskView> {
  const id = typed.trim().toLowerCase();
  // Anything else would be part of an address: `..` asks for another page.
  if (!/^[a-z0-9]+$/.test(id)) throw new ParleyError("not_found", `No question "${typed}". See: parley ls --all`);
  return client.call("getAsk", { id });
}
