import { connectHub, type HubClient } from "../../../../client/hub-client.ts";
import { ParleyError } from "../../../../core/error.ts";
import { shortId } from "../../../../core/id.ts";
import { safeLine, safeText } from "../../../../core/text/text.ts";
import { hubTaskWords, machineWords } from "../../../../core/words/hub-words.ts";
import { pause } from "../../../../machine/time/pause.ts";
import type { HubTaskView } from "../../../../protocol/hub/hub.ts";
import { colourOf } from "../../../terminal/terminal.ts";
import type { Context } from "../../context.ts";
import { refuseAgents } from "../../guard.ts";
import { jsonLine } from "../../json.ts";

const RECEIPT_MS = Number(process.env["PARLEY_RECEIPT_MS"]) || 3000;
const LOOK_MS = 100;
type Given = {
  prompt: string;
  machine?: string | undefined;
  project?: string | undefined;
  name?: string | undefined;
  json: boolean;
};

/** Gives an agent on another machine work. That machine says whether it takes it. */
export async function giveInHub({ json, machine, project, prompt, name }: Given, context: Context): Promise<number> {
  await refuseAgents("hub-task", context);
  if (machine === undefined || project === undefined)
    throw new ParleyError("usage", "Where? Add --machine and --project; parley tasks --hub lists them");
  const hub = await connectHub(context.terminal.env);
  const given = await hub.giveTask({ machine, project, prompt, ...(name !== undefined && { name }) });
  return tellGiven(await receipt(given, hub), json, context);
}

/** The second of two people: whoever else wants this work done. */
export async function agreeToTask(typed: string, json: boolean, context: Context): Promise<number> {
  await refuseAgents("hub-task", context);
  const hub = await connectHub(context.terminal.env);
  const { id } = await hub.task(typed);
  return tellGiven(await receipt(await hub.agreeToTask(id), hub), json, context);
}

function tellGiven(task: HubTaskView, json: boolean, context: Context): number {
  const [{ state }, id] = [task, shortId(task.id)];
  const more =
    state === "sent"
      ? `; see: parley tasks --hub (${id})`
      : state === "waiting"
        ? `: parley tasks --hub --agree ${id}`
        : "";
  const isOver = state === "refused" || state === "withdrawn";
  return tell(task, `${hubTaskWords(task, Date.now())}${more}`, isOver ? 4 : 0, json, context);
}

export async function takeTaskBack(typed: string, json: boolean, context: Context): Promise<number> {
  await refuseAgents("hub-task", context);
  const hub = await connectHub(context.terminal.env);
  const { id } = await hub.task(typed);
  const asked = await hub.takeTaskBack(id).catch((error: unknown) => {
    if (error instanceof ParleyError && error.code === "already_settled") return undefined;
    throw error;
  });
  const after = asked ? await receipt(asked, hub) : await hub.task(id);
  const name = safeLine(after.machine.name, { max: 40 });
  if (after.state === "withdrawn") return tell(after, "✓ taken back", 0, json, context);
  if (after.state === "sent")
    return tell(
      after,
      `… ${name} is asked to give it back, and says whether it can when it is there`,
      0,
      json,
      context,
    );
  return tell(after, `✗ too late: ${hubTaskWords(after, Date.now()).slice(2)}`, 4, json, context);
}

/** What was given through the hub, the newest first; then where this person may give something. */
export async function listInHub(json: boolean, { terminal }: Context): Promise<number> {
  const hub = await connectHub(terminal.env);
  const found = await hub.tasks();
  if (json) return (terminal.out(jsonLine(found)), 0);
  const { style } = terminal;
  const now = Date.now();
  for (const task of found.tasks) {
    const title = safeLine(task.name ?? task.prompt, { max: 60 });
    const where = `${safeLine(task.machine.name, { max: 20 })}:${safeLine(task.project, { max: 40 })}`;
    terminal.out(
      `${style.bold(shortId(task.id))}  ${style.cyan(where)}  ${title}\n        ${style.dim(hubTaskWords(task, now))}\n`,
    );
    // Whoever agrees has seen all of it.
    const whole = safeText(task.prompt);
    if (task.state === "waiting" && whole !== title)
      terminal.out(
        whole
          .split("\n")
          .map((line) => `        ${line}\n`)
          .join(""),
      );
  }
  const places = found.places.map(
    ({ machine, project }) => `  ${safeLine(project, { max: 80 })} on ${machineWords(machine, now)}\n`,
  );
  terminal.out(
    places.length === 0 ? "No machine takes tasks of yours here.\n" : `You may give tasks in\n${places.join("")}`,
  );
  return 0;
}

/** What its machine says, if that comes soon; else it is on its way, and nothing more is to be done here. */
async function receipt(given: HubTaskView, hub: HubClient): Promise<HubTaskView> {
  let task = given;
  const isWaiting = () => task.state === "sent" && task.machine.online;
  for (const until = performance.now() + RECEIPT_MS; isWaiting() && performance.now() < until; await pause(LOOK_MS))
    task = await hub.task(task.id);
  return task;
}

function tell(task: HubTaskView, result: string, code: number, json: boolean, { terminal }: Context): number {
  terminal.out(json ? jsonLine({ ...task, result }) : `${colourOf(result, terminal.style)(result)}\n`);
  return code;
}
