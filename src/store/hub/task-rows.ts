import type { HubActor } from "./actor.ts";
import type { HubMachine, Row } from "./rows.ts";
import { sha256 } from "./chain.ts";

/**
 * Work that somebody gave to a machine. `task`: what that calls it; `title`: what whoever gave it does. `n`: below zero while
 * it waits for a second person, then counted with the intents of its machine. `second`: who agreed.
 */
export type HubTask = {
  id: string;
  n: number;
  key: string;
  machine: Pick<HubMachine, "id" | "name" | "link" | "seenAt" | "revokedAt">;
  member: string;
  name: string;
  second: string | null;
  secondName: string | null;
  at: number;
  project: string;
  prompt: string;
  title: string | null;
  state: string;
  detail: string | null;
  task: string | null;
};
export type MayGive = (actor: Pick<HubActor, "grants">) => boolean;

export const MACHINE = `m.id AS "machineId", m.name AS "machineName", m.link, m.seen_at AS "seenAt", m.revoked_at AS "revokedAt"`;
export const TASKS = `SELECT w.id, w.n, w.key, w.member, p.name, s.member AS second, q.name AS "secondName", w.at, w.project,
    w.prompt, w.title, w.state, w.detail, w.task, ${MACHINE}
  FROM hub_tasks w JOIN hub_machines m ON m.id = w.machine JOIN hub_members p ON p.id = w.member
  LEFT JOIN hub_seconds s ON s.task = w.id LEFT JOIN hub_members q ON q.id = s.member`;

export const machineOf = ({ machineId, machineName, link, seenAt, revokedAt }: Row): HubTask["machine"] =>
  ({ id: machineId, name: machineName, link, seenAt, revokedAt }) as HubTask["machine"];

export function taskOf({ machineId, machineName, link, seenAt, revokedAt, ...row }: Row): HubTask {
  const machine = machineOf({ machineId, machineName, link, seenAt, revokedAt } as Row);
  return { ...row, machine } as unknown as HubTask;
}

type Order = { machine: string; project: string; prompt: string; title: string | null };

/** What is to be done and where, as one digest: who agrees has agreed to this. */
export const orderDigest = ({ machine, project, prompt, title }: Order): string =>
  sha256(JSON.stringify([machine, project, prompt, title]));

/** As the log has it. */
export const orderContent = ({ prompt, title }: Pick<Order, "prompt" | "title">): object => ({
  prompt,
  ...(title !== null && { name: title }),
});
