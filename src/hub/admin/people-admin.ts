import { randomBytes } from "node:crypto";
import { ParleyError } from "../../core/error.ts";
import { makeId } from "../../core/id.ts";
import { tokenOwner } from "../../core/words/token-words.ts";
import { SILENCE_MS } from "../../protocol/hub/hub.ts";
import { tokenName } from "../../store/hub/audit.ts";
import type { HubRecords } from "../../store/hub/records.ts";
import { digestOf, newSecret } from "../digest.ts";

type TokenWish = { member: string; role: string; project?: string | undefined; ms?: number | undefined };
type MachineTokenWish = { name: string; projects: readonly string[]; ms?: number | undefined };
/** States of machines and members that do nothing any more. */
const OVER: ReadonlySet<string> = new Set(["revoked", "left", "ended"]);

/** Machines, members and what lets them in: what somebody on the hub's own machine does. */
export function createPeopleAdmin(records: HubRecords, now: () => number) {
  const endOf = (ms: number | undefined) => (ms === undefined ? null : now() + ms);

  async function machines() {
    const [jobs, left] = await Promise.all([records.jobs(), records.leftMachines()]);
    return (await records.machines()).map(({ id, name, projects, joinedAt, seenAt, revokedAt, link }) => ({
      id,
      name,
      state: jobs.get(id)?.isEnded
        ? "ended"
        : revokedAt !== null
          ? left.has(id)
            ? "left"
            : "revoked"
          : link !== null && now() - seenAt < SILENCE_MS
            ? "online"
            : "offline",
      projects,
      joinedAt,
      seenAt,
    }));
  }

  async function members() {
    return (await records.members(now())).map(({ id, name, roles, madeAt, revokedAt }) => ({
      id,
      name,
      state: revokedAt === null ? "active" : "revoked",
      roles,
      madeAt,
    }));
  }

  /** Whatever may be revoked, with how. */
  async function all() {
    const revoke = (id: string) => records.revoke(id, now());
    return [
      ...(await machines()).map((each) => ({ ...each, isOver: OVER.has(each.state), what: "machine", end: revoke })),
      ...(await members()).map((each) => ({ ...each, isOver: OVER.has(each.state), what: "member", end: revoke })),
      ...(await records.machineTokens()).map((each) => ({
        ...each,
        isOver: each.revokedAt !== null,
        what: "machine token",
        end: (id: string) => records.revokeMachineToken(id, now()),
      })),
      ...(await records.tokens(now())).flatMap((each) =>
        "member" in each
          ? {
              id: each.id,
              name: `${tokenOwner(each)}'s`,
              isOver: false,
              what: "token",
              end: (id: string) => records.endToken({ id, by: "host" }, now()),
            }
          : [],
      ),
      ...(await records.sessions(now())).map(({ id, memberName }) => ({
        id,
        name: `${memberName}'s`,
        isOver: false,
        what: "browser",
        end: () => records.endSession({ id, by: "host" }, now()),
      })),
    ];
  }

  return {
    machines,
    members,
    sessions: () => records.sessions(now()),
    tokens: () => records.tokens(now()),
    async token({ member, role, project, ms }: TokenWish) {
      const token = newSecret();
      const [hash, expiresAt] = [digestOf(token), endOf(ms)];
      const made = { hash, id: makeId(randomBytes(16)), name: member, role, project: project ?? null, expiresAt };
      const freed = await records.addToken(made, now());
      return {
        token,
        id: tokenName(hash),
        member,
        role,
        ...(project !== undefined && { project }),
        ...(expiresAt !== null && { expiresAt }),
        ...freed,
      };
    },
    async machineToken({ name, projects, ms }: MachineTokenWish) {
      const token = newSecret();
      const [id, expiresAt] = [makeId(randomBytes(16)), endOf(ms)];
      await records.addMachineToken({ hash: digestOf(token), id, name, projects, expiresAt }, now());
      return { token, id, machine: name, projects: [...projects], ...(expiresAt !== null && { expiresAt }) };
    },
    /** By id, the beginning of one, or a name. */
    async revoke(typed: string) {
      const there = await all();
      const exact = there.filter(({ id, name }) => id === typed || name === typed);
      const named = exact.length > 0 ? exact : there.filter(({ id }) => typed !== "" && id.startsWith(typed));
      // Nobody means one that is over, where another one of that name is there.
      const working = named.filter(({ isOver }) => !isOver);
      const [found, ...others] = working.length > 0 ? working : named;
      if (!found)
        throw new ParleyError(
          "not_found",
          "No such machine, member, token or browser. See: parley hub machines, parley hub members, with --tokens or --sessions",
        );
      if (others.length > 0) throw new ParleyError("ambiguous", "Several are called so: name one by its id");
      const { id, name, what } = found;
      await found.end(id);
      return { id, name, what, state: "revoked" };
    },
  };
}
