import { holds, type Program, type Ran, type RunOptions } from "./program.ts";

export const DEPLOY = ["Deploy?", "-o", "Yes: ship it", "-o", "No: wait"];

/** `parley ask` or `confirm` that waits: comes back once its question is in the inbox and it is on the line. */
export async function asking(
  program: Program,
  args: string[] = DEPLOY,
  options: RunOptions = {},
  command: "ask" | "confirm" = "ask",
) {
  const known = new Set((await openAsks(program)).map(({ id }) => id));
  const child = program.spawn([command, ...args], options);
  const ended: Promise<Ran> = Promise.all([child.stdout.text(), child.stderr.text(), child.exited]).then(
    ([out, err, code]) => ({ out, err, code }),
  );
  let id = "";
  const isOn = await holds(async () => {
    const mine = (await openAsks(program)).find((ask) => !known.has(ask.id));
    id = mine?.id ?? "";
    return child.exitCode !== null || (mine?.reachable ?? false);
  });
  if (!isOn || child.exitCode !== null) throw new Error(`it does not wait: ${JSON.stringify(await ended)}`);
  return { id, child, ended };
}

/** `parley ask --no-wait`: its id. */
export async function asked(program: Program, ...args: string[]): Promise<string> {
  const { code, out, err } = await program.parley(["ask", ...args, "--no-wait"]);
  if (code !== 0) throw new Error(err);
  return out.trim();
}

async function openAsks(program: Program) {
  return (await program.client().call("listAsks", { query: { limit: 500 } })).asks;
}
