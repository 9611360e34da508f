import { useEffect, useState } from "preact/hooks";
import { capitalised, safeLine } from "../../../../core/text/text.ts";
import type { GrantOffer } from "../../../../protocol/grant.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { call } from "../api.ts";
import type { Model, Snapshot } from "../model.ts";
import { GrantPanel, wordsOf } from "./grant-panel.tsx";
import { endName } from "./what-it-matches.tsx";

type Props = { ask: AskView; model: Model; snapshot: Snapshot; settled: () => void };

/** The grant that is proposed after equal approvals. It is given by a person or declined, and never by itself. */
export function Proposal({ ask, model, snapshot: { grantNews }, settled }: Props) {
  const [offer, setOffer] = useState<GrantOffer>();
  const [isOpen, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    call("grantOffer", { id: ask.id }).then(setOffer, () => undefined);
  }, [ask.id, ask.outcome === undefined, grantNews]);
  const proposal = offer?.proposal;

  async function act(work: () => Promise<unknown>, done: () => void): Promise<void> {
    setBusy(true);
    try {
      await work();
      done();
    } catch (error) {
      setSaid(wordsOf(error));
    }
    setBusy(false);
  }

  if (said !== undefined) return <p class="hint">{said}</p>;
  if (!proposal) return null;
  const decline = () =>
    act(
      () => call("declineGrant", { id: ask.id, body: { surface: "web" } }),
      () => setSaid("It is not proposed again."),
    );
  return (
    <div class="pilot proposal" role="status">
      <p>
        {capitalised(proposal.words)}: <code>{safeLine(proposal.title, { max: 200 })}</code>
      </p>
      {!isOpen && (
        <>
          <button class="button" type="button" onClick={() => setOpen(true)}>
            Allow it for {endName(proposal.for)} …
          </button>
          <button class="button quiet" type="button" disabled={busy} onClick={() => void decline()}>
            Do not propose it again
          </button>
        </>
      )}
      {isOpen && (
        <GrantPanel
          ask={ask}
          busy={busy}
          close={() => setOpen(false)}
          give={(wish) =>
            void act(
              () => model.give(ask, wish),
              () => (ask.outcome ? setSaid("It counts from now on.") : settled()),
            )
          }
        />
      )}
    </div>
  );
}
