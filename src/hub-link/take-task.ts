import { createHash } from "node:crypto";
import type { Actor } from "../core/ask/outcome.ts";
import { ParleyError } from "../core/error.ts";
import { taskNeedsOf } from "../core/hub-policy.ts";
import type { Trust } from "../core/hub-trust.ts";
import { makeId } from "../core/id.ts";
import { safeLine } from "../core/text/text.ts";
import { projectName } from "../core/hub-names.ts";
import { projectOf } from "../machine/git/git.ts";
import type { Log } from "../machine/log.ts";
import type { FromHub, FromMachine } from "../protocol/hub/hub.ts";
import type { Store } from "../store/store.ts";
import type { Joined } from "./joined.ts";

type Wanted = Extract<FromHub, { type: "task" }>;
type Receipt = Extract<FromMachine, { type: "task-receipt" }>;
/** Makes a task as `parley run` does, by this machine's own settings. Contract: the same id again is the same task. */
export type GiveTask = (order: {
  id: string;
  cwd: string;
  prompt: string;
  name?: string;
  by: Actor;
}) => Promise<unknown>;
type Deps = { store: Pick<Store, "events">; joined: Joined; giveTask: GiveTask; trust: Trust; log: Log };

/** Shared folders by the names of their projects, as questions that are asked there have them. */
async function foldersOf({ tasks, projects }: Joined): Promise<{ name: string; folder: string }[]> {
  const folders = tasks === true ? projects.filter((each) => each.startsWith("/")) : [];
  return Promise.all(folders.map(async (folder) => ({ name: projectName((await projectOf(folder)).project), folder })));
}

/** Where this machine takes work from its hub. */
export const offersOf = async (joined: Joined): Promise<string[]> => [
  ...new Set((await foldersOf(joined)).map(({ name }) => name)),
];

/** Work from the hub is always the same task here, whatever number or line it comes with. */
const taskId = (machine: string, id: string): string =>
  makeId(createHash("sha256").update(`hub task ${machine} ${id}`).digest());

/** Also of one that was removed since: the log has it. */
const wasMade = async (task: string, store: Deps["store"]): Promise<boolean> =>
  (await store.events({ task, limit: 1 })).length > 0;

/** Whoever gave it wants it back. Contract: what was begun stays, and that is said. */
export async function giveTaskBack({ id }: { id: string }, { store, joined }: Deps): Promise<Receipt> {
  const task = taskId(joined.machine.id, id);
  if (await wasMade(task, store)) return { type: "task-receipt", id, state: "received", task };
  return { type: "task-receipt", id, state: "withdrawn", detail: "Taken back before its machine had it" };
}

/**
 * Work somebody gives in the hub: what is to be done comes from there, everything else from here. Contract: the same work
 * twice is one task and gets the same receipt; throws when it cannot be said yet.
 */
export async function takeTask(wanted: Wanted, { store, joined, giveTask, trust, log }: Deps): Promise<Receipt> {
  const { id, project, prompt, name, member } = wanted;
  const task = taskId(joined.machine.id, id);
  const received: Receipt = { type: "task-receipt", id, state: "received", task };
  const refused = (why: string): Receipt => {
    const detail = safeLine(why, { max: 1000 });
    log("info", "a task from the hub was refused", {
      member: safeLine(member.name, { max: 80 }),
      project,
      why: detail,
    });
    return { type: "task-receipt", id, state: "refused", detail };
  };
  if (await wasMade(task, store)) return received;
  if (joined.tasks !== true) return refused("This machine takes no tasks from a hub");
  const [found, ...others] = (await foldersOf(joined)).filter((each) => each.name === project);
  if (!found) return refused(`This machine does not share ${project}`);
  if (others.length > 0) return refused(`Several folders that this machine shares are called ${project}`);
  // By what this machine was told before: what the hub changes later makes nothing easier.
  const needs = taskNeedsOf(trust.policies, project);
  if (needs.signed) return refused("This machine takes no such task without a signature, and one from a hub has none");
  const people = [...new Map([member, ...(wanted.others ?? [])].map((each) => [each.id, each])).values()];
  if (needs.two && people.length < 2) return refused("This machine takes such a task of two people, and one gave it");
  const members = people.map((each) => ({ id: each.id, name: safeLine(each.name, { max: 80 }) }));
  const by = {
    type: "person" as const,
    surface: "hub",
    name: members.map((each) => each.name).join(" and "),
    member: member.id,
    ...(members.length > 1 && { members }),
  };
  try {
    await giveTask({ id: task, cwd: found.folder, prompt, ...(name !== undefined && { name }), by });
    return received;
  } catch (error) {
    if (await wasMade(task, store)) return received;
    if (error instanceof ParleyError && error.code === "not_written") throw error;
    return refused(error instanceof Error ? error.message : String(error));
  }
}
