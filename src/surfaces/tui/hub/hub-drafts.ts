import type { FormDraft } from "../../../core/form/form.ts";
import { type Drafts, isBlank, textsOf } from "../action/drafts.ts";

/** What is filled in, for as long as the inbox is open: a hub keeps no drafts. */
export function createHubDrafts(): Drafts {
  const drafts = new Map<string, FormDraft>();
  return {
    load: async (id) => drafts.get(id),
    keep(id, draft) {
      if (isBlank(draft)) drafts.delete(id);
      else drafts.set(id, draft);
    },
    forget: (id) => void drafts.delete(id),
    save: async () => undefined,
    /** What was never sent is given back. */
    close: async () => [...drafts.values()].flatMap(textsOf),
  };
}
