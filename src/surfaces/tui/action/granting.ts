import type { Client } from "../../../client/client.ts";
import { shortId } from "../../../core/id.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { Theme } from "../../../dialog/theme.ts";
import type { GrantView } from "../../../protocol/grant.ts";
import type { AskView } from "../../../protocol/view.ts";
import { type Box, createConfirmation } from "../draw/box.ts";
import { createBulkBox } from "./bulk-box.ts";
import { createGrantBox, type GrantWish } from "./grant-box.ts";
import { type Desk, SURFACE } from "./inbox-actions.ts";
import type { Model } from "../model.ts";
import { nameOf } from "../draw/status-line.ts";

type Deps = {
  client: Client;
  model: Model;
  desk: Desk;
  theme: Theme;
  show: (box: Box) => void;
  close: () => void;
  repaint: () => void;
};

/** What a person allows in advance, and many approvals at once. Contract: nothing here throws. */
export function createGranting({ client, model, desk, theme, show, close, repaint }: Deps) {
  const { now, awake } = model;
  const fail = (error: unknown) => {
    model.say(`✗ ${error instanceof Error ? error.message : String(error)}`, "error");
    repaint();
  };

  async function open(ask: AskView): Promise<void> {
    const offer = await client.call("grantOffer", { id: ask.id });
    const [exact] = offer.calls;
    if (offer.refused !== undefined || !exact)
      return model.say(`${nameOf(ask)}: this cannot be granted: ${offer.refused ?? ""}`, "error");
    const isPlan = ask.kind === "plan";
    const ways = (ask.questions[0]?.options ?? []).flatMap(({ effect, label }, index) =>
      effect === "allow" ? [{ index, label }] : [],
    );
    const free = offer.calls.filter(({ held }) => held === undefined).map(({ pattern }) => pattern.text);
    const wish: GrantWish = isPlan
      ? { for: "plan", patterns: free, pick: ways[0]?.index }
      : { for: offer.proposal?.for ?? offer.ends[0], pattern: exact.pattern.text, folder: exact.folder };
    const ends = isPlan ? [] : [...new Set([...offer.ends, wish.for ?? ""])];
    show(
      createGrantBox(theme, {
        title: isPlan ? "Accept it, and allow what it names until it is done" : "Allow for a while",
        wish,
        ends,
        ...(isPlan && { calls: offer.calls, ways }),
        verb: isPlan ? "accept and give it" : "approve and give it",
        look: async (wanted) =>
          (await client.call("giveGrant", { id: ask.id, body: { ...wanted, dry: true, surface: SURFACE } })).grants,
        give: (wanted) => void desk.give(ask, wanted),
        close,
        repaint,
        now: awake,
      }),
    );
  }

  async function bulk(): Promise<void> {
    const { approvals } = await client.call("listApprovals", {});
    const isMarked = approvals.some(({ ask }) => model.marked.has(ask.id));
    const rows = isMarked ? approvals.filter(({ ask }) => model.marked.has(ask.id)) : approvals;
    if (rows.length === 0) return model.say("No approval waits");
    show(
      createBulkBox(theme, {
        rows,
        ask: (id) => model.asks.get(id),
        isMine: desk.isMine,
        decide: (chosen, verdict) =>
          void desk.settleEach(
            chosen.map(({ ask, approve }) => ({
              ask: model.asks.get(ask.id) ?? ask,
              settlement:
                verdict === "deny" ? { action: "decline" } : { action: "answer", answers: [{ picks: [approve] }] },
            })),
          ),
        close,
        now,
        awake,
      }),
    );
  }

  function edit(grant: GrantView): void {
    const { id } = grant;
    const save = (wish: GrantWish, dry: boolean) => {
      const { pattern, folder, for: end } = wish;
      const body = { pattern, folder, ...(end !== undefined && { for: end }), dry, surface: SURFACE };
      return client.call("editGrant", { id, body });
    };
    show(
      createGrantBox(theme, {
        title: "Change this grant",
        wish: { pattern: grant.pattern.text, folder: grant.folder },
        ends: [],
        verb: "change it",
        look: async (wish) => [await save(wish, true)],
        give: (wish) =>
          void save(wish, false).then(() => (model.say(`✓ grant ${shortId(id)} is changed`, "ok"), repaint()), fail),
        close,
        repaint,
        now: awake,
      }),
    );
  }

  const offerFor = (ask: AskView) => client.call("grantOffer", { id: ask.id });

  return {
    open: (ask: AskView) => void open(ask).then(repaint, fail),
    bulk: () => void bulk().then(repaint, fail),
    edit,
    revoke(grant: GrantView): void {
      const confirm = () =>
        void client
          .call("revokeGrant", { id: grant.id, body: { surface: SURFACE } })
          .then(() => (model.say(`✓ grant ${shortId(grant.id)} is revoked`, "ok"), repaint()), fail);
      const lines = [safeLine(grant.title, { max: 100 })];
      show(createConfirmation(theme, { title: "Revoke this grant?", lines, confirm, close, now: awake }));
    },
    decline(ask: AskView): void {
      const decline = async () => {
        // What stood on the screen may just be asked for anew.
        const isAsked = ask.kind === "approval" && ask.call !== undefined;
        const offer = model.offers.get(ask.id) ?? (isAsked ? await offerFor(ask) : undefined);
        if (!offer?.proposal) return model.say(`${nameOf(ask)}: no grant is proposed`);
        const grant = await client.call("declineGrant", { id: ask.id, body: { surface: SURFACE } });
        model.offers.delete(ask.id);
        model.say(`✓ a grant for ${safeLine(grant.title, { max: 100 })} is not proposed again`, "ok");
      };
      void decline().then(repaint, fail);
    },
    /** What is proposed with the selected one: asked for once. */
    lookAt(ask: AskView | undefined): void {
      if (ask?.kind !== "approval" || !ask.call || model.offers.has(ask.id)) return;
      model.offers.set(ask.id, undefined);
      // Forgotten meanwhile, it is of an earlier state; not answered, it is asked for again when next drawn.
      offerFor(ask).then(
        (offer) => model.offers.has(ask.id) && (model.offers.set(ask.id, offer), repaint()),
        () => void model.offers.delete(ask.id),
      );
    },
  };
}
