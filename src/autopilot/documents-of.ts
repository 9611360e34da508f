import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Document } from "../brain/brain.ts";
import { createDocuments } from "../brain/documents.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { LadderStep } from "../core/ask/proposal.ts";
import type { Session } from "../core/ask/session.ts";
import { realTopOf } from "../machine/git/project-top.ts";
import type { Store } from "../store/store.ts";

type Found = { documents: readonly Document[]; steps: LadderStep[] };

/**
 * The project's documents as they were committed when the session began that asks: what an agent writes or commits
 * itself must not decide its own question. `steps`: that, and why, some that lie there are not read.
 */
export function createDocumentsOf(store: Store) {
  const read = createDocuments();

  return async ({ origin }: Ask, names: readonly string[]): Promise<Found> => {
    const id = origin.session ?? origin.inside;
    const session = id === undefined ? undefined : await store.session(id);
    const top = await realTopOf(origin.cwd);
    const { commit } = session?.base ?? {};
    let why = reasonAgainst(session, top);
    if (why === undefined && top !== undefined && commit !== undefined) {
      const documents = await read({ top, commit }, names);
      if (documents) return { documents, steps: [] };
      why = "what was committed when the session began is gone";
    }
    const there = await firstThere(top ?? origin.cwd, names);
    if (there === undefined) return { documents: [], steps: [] };
    return { documents: [], steps: [{ step: "documents", result: "passed", why: `${there} is not read: ${why}` }] };
  };
}

function reasonAgainst(session: Session | undefined, top: string | undefined): string | undefined {
  if (top === undefined) return "the folder is not a git repository";
  if (!session) return "no session is known that began before it was written";
  const { base } = session;
  if (!base) return "the session had begun when Parley first heard of it";
  if (base.commit === undefined) return `${base.why ?? "nothing was committed"} when the session began`;
  return base.top === top ? undefined : "the session began in another folder";
}

/** Of what lies in the working tree. */
async function firstThere(folder: string | undefined, names: readonly string[]): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  for (const name of names.flatMap((each) => [each, join(".planning", each)])) {
    const isThere = await stat(join(folder, name)).then(
      (info) => info.isFile(),
      () => false,
    );
    if (isThere) return name;
  }
  return undefined;
}
