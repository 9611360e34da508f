import type { Client } from "../../../client/client.ts";
import type { FormDraft } from "../../../core/form/form.ts";

export type Drafts = ReturnType<typeof createDrafts>;

/** What was typed since may be lost when this process is killed; anything else that ends it saves first. */
const EVERY_MS = 300;
const LAST_PATIENCE_MS = 3000;

/** Keeps what is filled in with the daemon. Contract: of one Ask the last one given is what is kept in the end. */
export function createDrafts(client: Client, by: string) {
  const unsaved = new Map<string, FormDraft | null>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | undefined;

  function put(id: string, draft: FormDraft | null): void {
    unsaved.set(id, draft);
    timer ??= setTimeout(() => void save(), EVERY_MS);
  }

  function save(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    saving = (saving ?? Promise.resolve()).then(saveAll);
    return saving;
  }

  async function saveAll(): Promise<void> {
    for (const [id, draft] of unsaved) {
      try {
        await client.call("putDraft", { id, body: { draft, by } });
        // Typed meanwhile: that is for the next time.
        if (unsaved.get(id) === draft) unsaved.delete(id);
      } catch {
        timer ??= setTimeout(() => void save(), EVERY_MS);
      }
    }
  }

  return {
    async load(id: string): Promise<FormDraft | undefined> {
      const known = unsaved.get(id);
      if (known !== undefined) return known ?? undefined;
      return (await client.call("getDraft", { id })).draft ?? undefined;
    },
    keep: (id: string, draft: FormDraft) => put(id, isBlank(draft) ? null : draft),
    /** It was sent, so nothing of it is left to do. */
    forget: (id: string) => put(id, null),
    save,
    /** The last chance. Answers what could not be kept. */
    async close(): Promise<string[]> {
      await Promise.race([save(), Bun.sleep(LAST_PATIENCE_MS)]);
      clearTimeout(timer);
      return [...unsaved.values()].flatMap((draft) => textsOf(draft));
    },
  };
}

export const isBlank = ({ entries }: FormDraft) =>
  entries.every(({ picks, text, note }) => picks.length === 0 && text.trim() === "" && note.trim() === "");

export const textsOf = (draft: FormDraft | null) =>
  (draft?.entries ?? []).flatMap(({ text, note }) => [text, note]).filter((text) => text.trim() !== "");
