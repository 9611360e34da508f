import type { HubClient } from "../../../client/hub-client.ts";
import { isClaimed } from "../../../core/hub-ask.ts";
import { shortId } from "../../../core/id.ts";
import { claimWords, takenBackWords } from "../../../core/words/hub-words.ts";
import type { Theme } from "../../../dialog/theme.ts";
import type { AskView } from "../../../protocol/view.ts";
import type { Settling } from "../action/settling.ts";
import type { Beside, Stage } from "../beside.ts";
import { toneOf } from "../draw/status-line.ts";
import type { Model } from "../model.ts";
import { createPrompt } from "../prompt.ts";
import { asHub, canTakeBack, isWaiting } from "./hub-ask.ts";

type Deps = { hub: HubClient; model: Model; desk: Settling; theme: Theme };

/** What keys do in a hub beside answering: say who is on it, hand it to somebody, and take an answer back. */
export function createHubKeys({ hub, model, desk, theme }: Deps, { isFresh, type: prompt }: Stage): Beside {
  const claim = (ask: AskView) =>
    desk.act(async () => {
      const isMine = isClaimed(asHub(ask) ?? {}, model.now(), model.hub?.id);
      const after = await (isMine ? hub.release(ask.id) : hub.claim(ask.id));
      model.asks.put(after);
      const words = after.claim ? claimWords(after.claim, model.now()) : `nobody is on ${shortId(ask.id)}`;
      model.say(`✓ ${words}`, "ok");
    });

  let unsent = "";
  const handOver = (ask: AskView) =>
    prompt(
      createPrompt(theme, {
        label: "Hand over to:",
        hint: "a member's name; Enter hands it over, Esc leaves it",
        // What nobody took is corrected, not typed anew.
        value: unsent,
        done: (text) => void hand(ask, text.trim()),
        cancel: () => prompt(undefined),
      }),
    );

  async function hand({ id }: AskView, to: string): Promise<void> {
    prompt(undefined);
    if (to === "") return;
    unsent = to;
    await desk.act(async () => {
      const after = await hub.claim(id, to);
      unsent = "";
      model.asks.put(after);
      if (after.claim) model.say(`✓ ${claimWords(after.claim, model.now())}`, "ok");
    });
  }

  const wanted = new Set<string>();
  const takeBack = (ask: AskView) =>
    desk.act(async () => {
      // The same key twice is meant once.
      if (wanted.has(ask.id)) return;
      wanted.add(ask.id);
      const after = await hub.takeBack(ask.id).finally(() => wanted.delete(ask.id));
      model.asks.put(after);
      const words = takenBackWords(after);
      model.say(words, toneOf(words));
    });

  return {
    act({ type }, selected) {
      if (type !== "claim" && type !== "handOver" && type !== "undo") return false;
      if (type === "undo") {
        if (selected && canTakeBack(selected, model.hub) && !isFresh()) void takeBack(selected);
      } else if (selected && isWaiting(selected)) {
        if (type === "handOver") handOver(selected);
        else void claim(selected);
      }
      return true;
    },
  };
}
