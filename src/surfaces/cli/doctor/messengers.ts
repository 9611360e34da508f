import { type Finding, note, ok, problem } from "../../../core/finding.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { Context } from "../context.ts";

/** Chats that are set up: whether their token works, and who may answer there. Of others nothing is said, and never a secret. */
export async function checkMessengers(client: Context["client"]): Promise<Finding[]> {
  const found = await client.call("notifyPairs", { query: { check: "true" } }).catch(() => undefined);
  return (found?.messengers ?? []).map(({ messenger, works, detail }) => {
    const name = safeLine(messenger, { max: 20 });
    const said = safeLine(detail, { max: 200 });
    if (!works) return problem(name, said, `parley notify test ${name}`);
    const people = (found?.pairs ?? []).filter((each) => each.messenger === messenger);
    const names = people.map((each) => safeLine(each.name, { max: 40 })).join(", ");
    if (names === "") return note(name, `${said}; nobody is paired: parley notify pair ${name}`);
    return ok(name, `${said}; paired with ${names}`);
  });
}
