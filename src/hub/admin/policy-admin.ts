import { randomBytes } from "node:crypto";
import { Kind } from "../../core/ask/ask.ts";
import { STAKES } from "../../core/autopilot/stake/stake.ts";
import { ParleyError } from "../../core/error.ts";
import { projectName, TASK_KIND } from "../../core/hub-names.ts";
import { sameDemand } from "../../core/hub-policy.ts";
import { makeId } from "../../core/id.ts";
import type { Changer } from "../../store/hub/acting.ts";
import type { HubRecords } from "../../store/hub/records.ts";

export type PolicyWish = {
  two: boolean;
  signed: boolean;
  project?: string | undefined;
  kind?: string | undefined;
  stake?: string | undefined;
};

/** What a policy may be about. */
export const POLICY_KINDS: readonly string[] = [...Kind.options, TASK_KIND];

/** What answers need, and work that is given: what an admin sets. Contract: throws a `ParleyError` for what there is not. */
export function createPolicyAdmin(records: HubRecords, now: () => number, by: Changer = "host") {
  async function find(typed: string): Promise<string> {
    const [found, ...others] = (await records.policies()).filter(({ id }) => typed !== "" && id.startsWith(typed));
    if (!found) throw none();
    if (others.length > 0) throw new ParleyError("ambiguous", "Several begin so: name one by its whole id");
    return found.id;
  }

  return {
    policies: () => records.policies(),
    /** Demanded already: nothing is changed. `instead`: of that one, in one step. */
    async addPolicy(wish: PolicyWish, instead?: string): Promise<void> {
      const { two, signed } = wish;
      if (!two && !signed) throw new ParleyError("usage", "What is demanded of it? Two people, a signature or both");
      const policy = {
        id: makeId(randomBytes(16)),
        two,
        signed,
        project: projectOf(wish.project),
        kind: among("--kind", wish.kind, POLICY_KINDS),
        stake: among("--stakes", wish.stake, STAKES),
      };
      if (policy.kind === TASK_KIND && policy.stake !== null)
        throw new ParleyError(
          "usage",
          "What a task risks is asked when its agent does it: leave out what is at stake, or make it of another kind",
        );
      const old = instead === undefined ? undefined : await find(instead);
      const same = (await records.policies()).find((each) => sameDemand(each, policy));
      if (same && (old === undefined || old === same.id)) return;
      if (same && old !== undefined) await records.removePolicy(old, now(), by);
      else if (!(await records.addPolicy(policy, now(), by, old))) throw none();
    },
    async removePolicy(typed: string): Promise<void> {
      if (!(await records.removePolicy(await find(typed), now(), by))) throw none();
    },
  };
}

const none = () => new ParleyError("not_found", "No such policy. See: parley hub policy");

function among(what: string, given: string | undefined, all: readonly string[]): string | null {
  if (given !== undefined && !all.includes(given)) throw new ParleyError("usage", `${what}: one of ${all.join(", ")}`);
  return given ?? null;
}

/** Null: of any. An empty name is a mistake, and not all of them. */
export function projectOf(typed: string | undefined): string | null {
  if (typed === undefined) return null;
  const name = projectName(typed);
  if (name === "") throw new ParleyError("usage", "Of which project? By the name that ls shows");
  return name;
}
