import { ParleyError } from "../core/error.ts";
import { mayAnswer, mayGiveTask } from "../core/hub-role.ts";
import { safeLine, safeText } from "../core/text/text.ts";
import { describeAnswers } from "../core/words/outcome/describe-answer.ts";
import { halvesWords } from "../core/words/hub-words.ts";
import type { Log } from "../machine/log.ts";
import type { SendError } from "../notify/messenger.ts";
import { noteOf } from "../notify/note.ts";
import {
  askPayload,
  closePayload,
  type Payload,
  pressedOn,
  taskClosePayload,
  taskPayload,
} from "../notify/push/payload.ts";
import { refusedService } from "../notify/push/push-service.ts";
import { sendPush } from "../notify/push/send-push.ts";
import { newVapid, type Vapid } from "../notify/push/vapid.ts";
import { HUB_PATHS, type HubAskView, type HubSettlement } from "../protocol/hub/hub.ts";
import { PHONE_ENDPOINTS } from "../protocol/phone.ts";
import type { AskView } from "../protocol/view.ts";
import { type Notice, type PushPlace, taskIn } from "../store/hub/notices.ts";
import type { HubAsk, HubRecords } from "../store/hub/records.ts";
import { type AskViews, bodyOf } from "./ask-views.ts";
import { safelyParse } from "../core/safely-parse.ts";

/** `text`: a push shows the question; `anywhere`: a push service may be in a private network. */
export type HubPushOptions = { text: boolean; anywhere: boolean };
type Deps = {
  records: HubRecords;
  views: AskViews;
  now: () => number;
  log: Log;
  options: HubPushOptions;
  /** The one door for answers. */
  answer: (request: Request) => Promise<object | undefined>;
};
const AT_ONCE = 20;
const SEND_MS = 30_000;
/** Longer than a send may last: whoever has it is dead, and another hub does it. */
const HELD_MS = 120_000;
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;
const MOST_TRIES = 30;

/** Web Push to browsers of members: what is routed to them, that it still waits, that it is over. */
export function createHubPush({ records, views, now, log, options, answer }: Deps) {
  const vapid = async () => JSON.parse(await records.vapidKey(() => JSON.stringify(newVapid()))) as Vapid;

  async function sendDue(): Promise<void> {
    for (;;) {
      const due = await records.dueNotices(now(), AT_ONCE);
      await Promise.all(due.map(send));
      if (due.length < AT_ONCE) return;
    }
  }

  async function send(notice: Notice): Promise<void> {
    const place = await records.takeNotice(notice, now(), now() + HELD_MS);
    if (place === undefined) return;
    const payload = place === "nowhere" ? undefined : await (taskIn(notice.ask) ? taskOf : payloadOf)(notice, place);
    if (place === "nowhere" || !payload) return records.dropNotice(notice);
    try {
      const signal = AbortSignal.timeout(SEND_MS);
      await sendPush(place, payload, { vapid: await vapid(), isPrivateFine: options.anywhere, at: now() }, signal);
      await records.noticed(notice, null);
    } catch (error) {
      const { again = true, afterMs, status, message } = error as Partial<SendError>;
      log("warn", "a browser was not reached", { session: place.session, error: message });
      if (status === 404 || status === 410) return records.dropPush(place.session);
      const pause = afterMs ?? Math.min(FIRST_PAUSE_MS * 2 ** notice.tries, LONGEST_PAUSE_MS);
      await records.noticed(notice, again && notice.tries + 1 < MOST_TRIES ? now() + pause : null);
    }
  }

  /** Looked at once more: nobody is told of what is not theirs to answer any more. */
  async function payloadOf(
    { machine, ask, message, wants }: Notice,
    { member }: PushPlace,
  ): Promise<Payload | undefined> {
    const [found] = await records.asksOf(machine, [ask], null);
    if (wants === "close") return closePayload({ ask, ...endOf(found), words: "", at: now() }, options.text);
    const grants = await records.grantsOf(member, now());
    const view = found?.view as AskView | undefined;
    if (!view || !mayAnswer(grants, view)) return undefined;
    const note = noteOf(view, view.agentTitle, { buttonsForApprovals: false });
    return { ...askPayload(note, message, options.text), ...(wants === "remind" && { again: true as const }) };
  }

  /** The same of work that waits for a second person. */
  async function taskOf({ ask, wants }: Notice, { member }: PushPlace): Promise<Payload | undefined> {
    const [task] = await records.tasks({ projects: null, limit: 1, like: taskIn(ask) ?? "" });
    if (wants === "close") {
      const isAgreed = task?.secondName !== undefined && task.secondName !== null;
      const title = isAgreed ? `${safeLine(task.secondName ?? "", { max: 40 })} agreed` : "It does not wait any more";
      return taskClosePayload({ tag: ask, title }, options.text);
    }
    const grants = await records.grantsOf(member, now());
    if (task?.state !== "waiting" || task.member === member || !mayGiveTask(grants, task.project)) return undefined;
    const [who, project, machine] = [task.name, task.project, task.machine.name].map((name) =>
      safeLine(name, { max: 40 }),
    );
    const title = `${who} wants a task in ${project} on ${machine}`;
    const payload = taskPayload({ tag: ask, title, body: safeText(task.prompt) }, options.text);
    return { ...payload, ...(wants === "remind" && { again: true as const }) };
  }

  async function signedIn(request: Request) {
    const who = await views.actor(request);
    const session = await records.seen(who.token, now());
    if (!session)
      throw new ParleyError("not_found", "This is about the browser that sends it, and none that is signed in does");
    return { who, session };
  }

  async function subscribe(request: Request): Promise<object> {
    const { who, session } = await signedIn(request);
    const { data } = safelyParse(PHONE_ENDPOINTS.pushTo.body, await bodyOf(request));
    if (!data) throw new ParleyError("invalid", "This is no subscription of a browser");
    const { subscription } = data;
    if (subscription === null) {
      await records.dropPush(session.id);
      return {};
    }
    const refusal = refusedService(subscription.endpoint, options.anywhere);
    if (refusal !== undefined) throw new ParleyError("invalid", `Not switched on: ${refusal.split(":")[0]}`);
    await records.keepPush({ ...subscription, session: session.id, member: who.member }, now());
    return {};
  }

  /** A press in a notification. Contract: only by the browser that got it, only what it showed, and as any other answer. */
  async function reply(request: Request): Promise<object> {
    const { session } = await signedIn(request);
    const { data } = safelyParse(PHONE_ENDPOINTS.pushReply.body, await bodyOf(request));
    const notice = data && (await records.noticeOf(data.message, session.id));
    if (!notice) return { state: "unknown", words: "That notification is not known any more." };
    const [found] = await records.asksOf(notice.machine, [notice.ask], null);
    const view = found?.view as AskView | undefined;
    const shown = view && options.text ? pressedOn(noteOf(view, view.agentTitle, { buttonsForApprovals: false })) : [];
    if (!view || !shown.some(({ option }) => option === data.option))
      return { state: "refused", words: "Not answered. Open the question to answer it." };
    const headers = new Headers(request.headers);
    // One press, however often a worker says so.
    headers.set("idempotency-key", `${data.message} ${data.option}`);
    headers.delete("content-length");
    const settlement: HubSettlement = {
      action: "answer",
      version: view.version,
      answers: [{ picks: [data.option] }] as never,
    };
    const url = new URL(`${HUB_PATHS.asks}/${notice.ask}/answer`, request.url);
    try {
      const sent = new Request(url.href, { method: "POST", headers, body: JSON.stringify(settlement) });
      const { halves } = (await answer(sent)) as HubAskView;
      if (halves) return { state: "answered", words: halvesWords(halves, view.questions) };
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      return {
        state: error.code === "already_settled" ? "settled" : "refused",
        words: `Not answered. ${error.message}`,
      };
    }
    return { state: "answered", words: `Answered: ${describeAnswers(view.questions, settlement.answers ?? [])}` };
  }

  return {
    sendDue,
    /** Undefined: not for us. */
    async handle(request: Request): Promise<object | undefined> {
      const line = `${request.method} ${new URL(request.url).pathname}`;
      if (line === `POST ${HUB_PATHS.push}`) return subscribe(request);
      if (line === `POST ${HUB_PATHS.pushReply}`) return reply(request);
      if (line !== `GET ${HUB_PATHS.push}`) return undefined;
      const { session } = await signedIn(request);
      const { publicKey } = await vapid();
      return { key: publicKey, on: await records.takesPushes(session.id), name: session.name, text: options.text };
    },
  };
}

/** How it ended, as far as it is known here; in words that stay true. */
function endOf(found: HubAsk | undefined): { type: string; plain: string } {
  const view = found?.view as AskView | undefined;
  if (found?.intent && found.intent.state !== "withdrawn")
    return { type: "answered", plain: `answered by ${found.intent.name}` };
  return view?.outcome?.type === "answered"
    ? { type: "answered", plain: "answered on its machine" }
    : { type: "gone", plain: "it does not wait any more" };
}
