import type { FormDraft } from "../../../../core/form/draft.ts";
import { draftOf, type FormState, isDirty, openForm } from "../../../../core/form/form.ts";
import { leaveField } from "../../../../core/form/point.ts";
import { prefillFor } from "../../../../core/words/pilot-line.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { call } from "../api.ts";

type Form = { state: FormState; synced: string; at: number; timer?: ReturnType<typeof setTimeout> | undefined };
export type Forms = ReturnType<typeof createForms>;

const PAUSE_MS = 300;
const BY = "web";

/** Where drafts are kept. */
type Drafts = {
  get(id: string): Promise<{ draft?: FormDraft | null | undefined; at?: number | undefined }>;
  put(id: string, draft: FormDraft | null, keepalive: boolean): Promise<{ at?: number | undefined }>;
};
const WITH_THE_DAEMON: Drafts = {
  get: (id) => call("getDraft", { id }),
  put: (id, draft, keepalive) => call("putDraft", { id, body: { draft, by: BY }, keepalive }),
};
/** A hub keeps none: they are this tab's alone. */
export const NOWHERE: Drafts = { get: async () => ({}), put: async () => ({}) };

/** The forms of this tab, and their drafts: kept by the daemon, so that they outlive the tab and reach other devices. */
export function createForms(drafts = WITH_THE_DAEMON) {
  const forms = new Map<string, Form>();
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => listener());

  function open(ask: AskView): FormState {
    const found = forms.get(ask.id);
    if (found) return found.state;
    const state = openForm(ask.questions, given(ask));
    forms.set(ask.id, { state, synced: draftText(state), at: 0 });
    void load(ask);
    return state;
  }

  /** What is proposed later is taken into a form that nobody has touched. */
  function propose(ask: AskView): void {
    const form = forms.get(ask.id);
    if (!form || form.at > 0 || isDirty(form.state)) return;
    const state = openForm(ask.questions, given(ask));
    if (JSON.stringify(state.entries) === JSON.stringify(form.state.opened)) return;
    forms.set(ask.id, { state, synced: draftText(state), at: 0 });
    tell();
  }

  /** Takes a newer draft from elsewhere, unless something was entered here meanwhile. */
  async function load(ask: AskView): Promise<void> {
    const kept = await drafts.get(ask.id).catch(() => undefined);
    const form = forms.get(ask.id);
    if (!kept?.draft || !form || (kept.at ?? 0) <= form.at || draftText(form.state) !== form.synced) return;
    // Against the empty form: what the draft holds is a change, also when it came from elsewhere.
    const { entries: opened } = openForm(ask.questions, given(ask));
    const state = { ...openForm(ask.questions, { draft: kept.draft, ...given(ask) }), opened };
    forms.set(ask.id, { state, synced: draftText(state), at: kept.at ?? 0 });
    tell();
  }

  function save(id: string, { keepalive = false } = {}): void {
    const form = forms.get(id);
    if (!form || draftText(form.state) === form.synced) return;
    clearTimeout(form.timer);
    form.timer = undefined;
    const text = draftText(form.state);
    drafts.put(id, JSON.parse(text) as FormDraft | null, keepalive).then(
      ({ at }) => ((form.synced = text), (form.at = at ?? form.at)),
      // The daemon is away: it is sent when the next one answers.
      () => (form.timer = setTimeout(() => save(id), 1000)),
    );
  }

  return {
    open,
    load,
    propose,
    peek: (id: string): FormState | undefined => forms.get(id)?.state,
    set(id: string, state: FormState): void {
      const form = forms.get(id);
      if (!form || form.state === state) return;
      form.state = state;
      clearTimeout(form.timer);
      form.timer = setTimeout(() => save(id), PAUSE_MS);
      tell();
    },
    /** Sends what was not sent yet; the tab may be gone in a moment. */
    saveAll: () => forms.forEach((_form, id) => save(id, { keepalive: true })),
    /** The Ask is settled from here: nobody needs the draft any more. */
    forget(id: string): void {
      const form = forms.get(id);
      clearTimeout(form?.timer);
      forms.delete(id);
      void drafts.put(id, null, false).catch(() => undefined);
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const given = (ask: AskView) => {
  const prefill = prefillFor(ask);
  return prefill ? { prefill } : {};
};

function draftText(state: FormState): string {
  const left = leaveField(state);
  return JSON.stringify(isDirty(left) ? draftOf(left) : null);
}
