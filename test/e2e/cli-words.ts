import type { CallOf } from "../../src/protocol/contract.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { question } from "./api-request.ts";
import { holds, type Program } from "./program.ts";

export const store = question("Store");
export const features = question("Features", {
  question: "Which features?",
  multiSelect: true,
  options: ["Auth", "Search", "Export"].map((label) => ({ label, description: `with ${label.toLowerCase()}` })),
});

type Origin = NonNullable<CallOf<"createAsk">["body"]>["origin"];

/** Asks through the API, as a script does. The next one is younger: of the same millisecond none waits longer. */
export async function create(program: Program, questions: object[] = [store], origin: Origin = {}): Promise<AskView> {
  const made = await program.client("agent").call("createAsk", { body: { questions, origin } });
  while (Date.now() <= made.createdAt) await Bun.sleep(1);
  return made;
}

/** The script waits for the answer; comes back once it does. */
export async function listen(program: Program, { id }: { id: string }) {
  const taken = program.client("agent").call("receiveAnswer", { id, query: { wait: 60_000 } });
  await holds(async () => (await program.client().call("getAsk", { id })).reachable);
  // Wrapped: a bare promise would be waited for here.
  return { taken };
}

/** Clocks, ages and receipt times differ from run to run; nothing else does. */
export const timeless = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "CLOCK")
    .replaceAll(/(?<=[(\s])\d+(\.\d+)? (ms|s|min)(?=[)\s]| ago)/g, "TIME")
    .replaceAll(/(?<=^\w{6} +)now |(?<= · )now(?= · )/gm, (now) => now.replace("now", "TIME"));

export const linesOf = (text: string) => text.replace(/\n$/, "").split("\n");
