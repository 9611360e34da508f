import { randomBytes } from "node:crypto";
import { ParleyError } from "../core/error.ts";
import { taskNeedsOf } from "../core/hub-policy.ts";
import { mayGiveTask } from "../core/hub-role.ts";
import { makeId } from "../core/id.ts";
import { safeLine } from "../core/text/text.ts";
import { HUB_PATHS, HubOrder, type HubTaskView } from "../protocol/hub/hub.ts";
import type { HubRecords } from "../store/hub/records.ts";
import type { HubTask } from "../store/hub/task-rows.ts";
import type { Offer } from "../store/hub/tasks.ts";
import { type Acting, type AskViews, bodyOf } from "./ask-views.ts";
import type { Links } from "./line/links.ts";
import { seesProjects } from "./may.ts";
import { safelyParse } from "../core/safely-parse.ts";

type Deps = { records: HubRecords; now: () => number; views: AskViews; wake: Links["wake"] };
const MOST = 200;
const MOST_LIKE = 10;

/** Work for an agent on a machine that allows it. Contract: throws for what is refused; undefined: no such address. */
export function createTaskRoutes({ records, now, views, wake }: Deps) {
  const machineView = ({ id, name, link, seenAt }: HubTask["machine"]) => ({
    id,
    name,
    online: views.isOnline({ link, seenAt }),
    seenAt,
  });

  function viewOf(given: HubTask): HubTaskView {
    const { id, machine, project, prompt, title, member, name, secondName, at, task } = given;
    // A machine that is gone never says anything more.
    const isGone = (given.state === "sent" || given.state === "waiting") && machine.revokedAt !== null;
    const state = isGone ? "withdrawn" : (given.state as HubTaskView["state"]);
    const detail = isGone ? "Its machine has left this hub" : given.detail;
    return {
      id,
      state,
      machine: machineView(machine),
      project,
      prompt,
      ...(title !== null && { name: title }),
      member: name,
      by: member,
      ...(secondName !== null && { with: [secondName] }),
      at,
      ...(task !== null && { task }),
      ...(detail !== null && { detail }),
    };
  }

  async function give(request: Request): Promise<HubTaskView> {
    const who = await views.actor(request);
    const parsed = safelyParse(HubOrder, await bodyOf(request));
    if (!parsed.success) throw new ParleyError("invalid", "This is no work a hub takes: machine, project and prompt");
    const { machine: typed, project, prompt, name } = parsed.data;
    // Before anything is said of the project, or of who works on it.
    if (!mayGiveTask(who.grants, project)) throw refused(who);
    const key = request.headers.get("idempotency-key") ?? crypto.randomUUID();
    const machine = machineFor(typed, project, await records.offers());
    const wanted = {
      id: makeId(randomBytes(16)),
      key,
      machine,
      project,
      prompt,
      title: name ?? null,
      token: who.token,
    };
    const put = await records.putTask(wanted, ({ grants }) => mayGiveTask(grants, project), now());
    if (put.type === "put") {
      if (put.task.state === "sent") void wake(machine);
      return viewOf(put.task);
    }
    if (put.type === "unsigned") throw unsigned(project);
    if (put.type === "refused") throw refused(who);
    if (put.type === "gone") throw notTaken(typed, project, []);
    throw new ParleyError("idempotency_mismatch", "This idempotency key was used for another request");
  }

  async function find(prefix: string, who: Acting): Promise<HubTask> {
    const like = /^[a-z0-9]{1,40}$/.test(prefix) ? prefix : undefined;
    const query = { projects: seesProjects(who), limit: MOST_LIKE };
    const [task, ...others] = like === undefined ? [] : await records.tasks({ ...query, like });
    if (!task) throw new ParleyError("not_found", `No task "${safeLine(prefix, { max: 40 })}" in this hub`);
    if (others.length > 0) throw new ParleyError("ambiguous", `"${prefix}" matches several tasks`);
    return task;
  }

  async function agree(request: Request, prefix: string): Promise<HubTaskView> {
    const who = await views.actor(request);
    const { id, machine, project, name } = await find(prefix, who);
    const may = ({ grants }: Pick<Acting, "grants">) => mayGiveTask(grants, project);
    const agreed = await records.agreeToTask({ id, machine: machine.id, token: who.token }, may, now());
    switch (agreed.type) {
      case "put":
        void wake(machine.id);
        return viewOf(agreed.task);
      case "refused":
        throw refused(who);
      case "own":
        throw new ParleyError("forbidden", "You gave it yourself: another approver or admin has to agree");
      case "lapsed": {
        const words = `${safeLine(name, { max: 40 })} may not give tasks in it any more: give it anew`;
        throw new ParleyError("forbidden", words);
      }
      case "gone":
        throw notTaken(machine.name, project, []);
      case "unsigned":
        throw unsigned(project);
      case "over":
        throw new ParleyError("already_settled", "It does not wait for anybody any more: there is nothing to agree to");
    }
  }

  async function takeBack(request: Request, prefix: string): Promise<HubTaskView> {
    const who = await views.actor(request);
    const { id, machine, member, project } = await find(prefix, who);
    const may = (actor: Pick<Acting, "member" | "grants">) =>
      actor.member === member ||
      actor.grants.some((grant) => grant.role === "admin" && (grant.project === null || grant.project === project));
    const result = await records.takeTaskBack({ id, machine: machine.id, token: who.token }, may, now());
    if (result === "refused") throw new ParleyError("forbidden", "It is not your task: an admin may take it back");
    if (result === "none")
      throw new ParleyError("already_settled", "It is not on its way any more: there is nothing to take back");
    if (result === "asked") void wake(machine.id);
    return viewOf(await find(id, who));
  }

  async function placesFor({ grants }: Acting) {
    const [offers, policies] = await Promise.all([records.offers(), records.policies()]);
    return offers.flatMap(({ machine, projects }) =>
      projects
        .filter((project) => mayGiveTask(grants, project))
        .map((project) => {
          const needs = taskNeedsOf(policies, project);
          return { machine: machineView(machine), project, ...((needs.two || needs.signed) && { needs }) };
        }),
    );
  }

  return async function handle(request: Request): Promise<object | undefined> {
    const { pathname } = new URL(request.url);
    const [, id, act] = /^\/api\/tasks(?:\/([^/]+)(\/take-back|\/agree)?)?$/.exec(pathname) ?? ["", undefined];
    const line = `${request.method} ${pathname}`;
    if (line === `POST ${HUB_PATHS.tasks}`) return give(request);
    if (line === `GET ${HUB_PATHS.tasks}`) {
      const who = await views.actor(request);
      const tasks = (await records.tasks({ projects: seesProjects(who), limit: MOST })).map(viewOf);
      return { tasks, places: await placesFor(who) };
    }
    if (id !== undefined && act === "/agree" && request.method === "POST") return agree(request, id);
    if (id !== undefined && act === "/take-back" && request.method === "POST") return takeBack(request, id);
    if (id !== undefined && act === undefined && request.method === "GET")
      return viewOf(await find(id, await views.actor(request)));
    return undefined;
  };
}

/** By its name or id, of those that take work in this project: of any other nothing is said. */
function machineFor(typed: string, project: string, offers: readonly Offer[]): string {
  const takers = offers.filter(({ projects }) => projects.includes(project)).map(({ machine }) => machine);
  const [found, ...others] = takers.filter(({ id, name }) => id === typed || name === typed);
  if (!found) throw notTaken(typed, project, takers);
  if (others.length === 0) return found.id;
  const ids = [found, ...others].map(({ id }) => id).join(", ");
  throw new ParleyError(
    "ambiguous",
    `Several machines are called ${safeLine(typed, { max: 40 })}: name one by its id, ${ids}`,
  );
}

function notTaken(typed: string, project: string, takers: readonly { name: string }[]): ParleyError {
  const names = takers.map(({ name }) => safeLine(name, { max: 40 })).join(", ");
  const where = takers.length > 0 ? `These do: ${names}` : "None does: its person allows it with parley join … --tasks";
  return new ParleyError(
    "not_found",
    `No machine "${safeLine(typed, { max: 40 })}" takes tasks in ${safeLine(project, { max: 80 })} here. ${where}`,
  );
}

const unsigned = (project: string): ParleyError =>
  new ParleyError(
    "forbidden",
    `A policy demands a signature for all that is decided in ${safeLine(project, { max: 80 })}, and a task from a hub has none: give it on its machine`,
  );

const refused = ({ role }: Acting): ParleyError =>
  new ParleyError("forbidden", `Your role here is ${role}: only approvers and admins of a project give tasks in it`);
