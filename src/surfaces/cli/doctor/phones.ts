import type { Client } from "../../../client/client.ts";
import { refusedForPhone } from "../../../core/config/phone-address.ts";
import { type Finding, note, ok } from "../../../core/finding.ts";

/** Says nothing where no phone is paired. */
export async function checkPhones(client: Client): Promise<Finding[]> {
  const found = await client.call("listPhones").catch(() => undefined);
  if (!found || found.phones.length === 0) return [];
  const refusal = refusedForPhone(found.address);
  if (refusal !== undefined) return [note("phone", `web.address: ${refusal}`, "parley phone <address>")];
  const deaf = found.phones.filter(({ push }) => !push).map(({ name }) => name);
  if (deaf.length > 0)
    return [note("phone", `no pushes reach ${deaf.join(", ")}`, "switch them on in its page: Settings → Push")];
  return [ok("phone", `pushes go to ${found.phones.map(({ name }) => name).join(", ")}`)];
}
