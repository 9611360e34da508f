import { ParleyError } from "../../../core/error.ts";
import { draftToKeep } from "../../../core/form/form.ts";
import type { Hooks } from "../../../delivery/hooks.ts";
import type { Clock, Inbox } from "../../../inbox/inbox.ts";
import { MAX_DRAFT } from "../../../protocol/contract.ts";
import type { Store } from "../../../store/store.ts";
import type { Routes } from "./route.ts";

type Deps = { store: Store; inbox: Inbox; hooks: Hooks; now: Clock };

/** What a person has filled in and not sent. */
export const createDraftRoutes = ({ store, inbox, hooks, now }: Deps): Pick<Routes, "getDraft" | "putDraft"> => ({
  async getDraft({ id }) {
    return (await store.draft((await inbox.get(id)).id)) ?? { draft: null };
  },
  async putDraft({ id, body: { draft, by } }) {
    if (JSON.stringify(draft).length > MAX_DRAFT)
      throw new ParleyError("too_large", `A draft has at most ${MAX_DRAFT} characters`);
    const ask = await inbox.get(id);
    const kept = draft ? { draft: draftToKeep(ask.questions, draft), by, at: now() } : undefined;
    await store.saveDraft(ask.id, kept);
    if (kept) hooks.stay(ask.id);
    return kept ?? { draft: null };
  },
});
