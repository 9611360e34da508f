import { ParleyError } from "../../core/error.ts";
import { shortId } from "../../core/id.ts";
import type { Applied, Task } from "../../core/task/task.ts";
import { createSerial } from "../../machine/time/serial.ts";
import { findCheckout } from "./checkout.ts";
import { planApply } from "./plan-apply.ts";
import { snapshotOf } from "../../machine/worktree/snapshot.ts";
import { writeCheckout } from "./write-checkout.ts";

const serial = createSerial();

/** Brings all that a task did in its worktree into the checkout it was started in. Contract: may be done again. */
export function applyWork({
  id,
  order,
  workdir,
}: Task): Promise<Pick<Applied, "to" | "tip" | "tree" | "commit" | "commits" | "files">> {
  if (!workdir) throw new ParleyError("usage", `It has no worktree: it worked in ${order.cwd} itself`);
  // Two at once would each take the other's files for a person's.
  return serial(workdir.repository, async () => {
    const found = await snapshotOf(workdir);
    if (!found) throw new ParleyError("not_found", `Its worktree ${workdir.root} and its branch are gone`);
    const checkout = await findCheckout(order.cwd, workdir);
    const plan = await planApply(checkout, found, workdir.branch);
    const files = await writeCheckout(checkout, plan, shortId(id));
    return { ...found, to: checkout.top, commit: plan.commit, commits: plan.commits, files };
  });
}
