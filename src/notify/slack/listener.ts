import { z } from "zod";
import { safeLine } from "../../core/text/text.ts";
import type { Log } from "../../machine/log.ts";
import { pause } from "../../machine/time/pause.ts";
import { readButton } from "../chat/button-data.ts";
import type { Sheet } from "../chat/chat-sheet.ts";
import { createListening } from "../chat/listening.ts";
import { type NoForm, type Person, SendError, type TakeReply, type Told } from "../messenger.ts";
import type { Pairs } from "../chat/pairs.ts";
import { type Api, isDone, type Json, SlackError } from "./api.ts";
import { type Block, escaped, formView, markedBlocks, pairBlocks, pairView, section, wordsView } from "./blocks.ts";
import { Actions, answersIn, countIn, type Envelope, personOf, Submission, ticksIn } from "./read.ts";
import { createSocket } from "./socket.ts";
import { safelyParse } from "../../core/safely-parse.ts";

export type ListenerDeps = {
  call: Api;
  pairs: Pairs;
  take: TakeReply;
  /** The Ask as it is now, to be shown in a form. Told: it cannot be, and why. */
  sheet: (ask: string) => Promise<Sheet | NoForm>;
  /** Tests that wait for the press of their button. */
  tests: ReadonlyMap<string, (by: string) => void>;
  /** A message of ours: whoever sent it marks it. */
  isKnown: (message: string) => boolean;
  log: Log;
};
/** What an envelope is answered with, and what follows. `late`: it was answered with nothing, before it was done. */
type Handled = { payload?: object; after?: (late: boolean) => Promise<void> };

const NAME = "slack";
const CALL_MS = 8000;
/** Of the three seconds in which Slack wants to hear of it. What takes longer goes on all the same. */
const ANSWER_MS = 2000;
const KEPT_IDS = 1000;
const HOW_TO_PAIR =
  "You are not paired: nothing was answered. Who may do so runs this on the machine with the agents: parley notify pair slack. Then press Pair here and type its code.";

/**
 * Hears what people do with the app's messages. An envelope is acknowledged when what it brings is on disk.
 * Contract: who is not paired settles nothing, whatever they press; being in the channel is no permission.
 */
export function createListener({ call, pairs, take, sheet, tests, isKnown, log }: ListenerDeps) {
  /** Came before; an envelope that is told twice counts once. */
  const known = new Set<string>();
  const address = async (signal: AbortSignal) => String((await call("apps.connections.open", {}, signal))["url"] ?? "");
  const socket = createSocket({ address, heard, log });

  function heard({ type, envelope_id = "", payload }: Envelope, acknowledge: (payload?: object) => void): void {
    if (type !== "interactive" || known.has(envelope_id)) return acknowledge();
    known.add(envelope_id);
    for (const first of known) if (known.size > KEPT_IDS) known.delete(first);
    void handle(payload, acknowledge).catch((error: unknown) => {
      // Not acknowledged: Slack shows its person that it did not work, and they can do it again.
      known.delete(envelope_id);
      log("error", "what came from Slack was not handled", { kind: (error as Error).name });
    });
  }

  async function handle(payload: unknown, acknowledge: (payload?: object) => void): Promise<void> {
    const work = workOf(payload);
    const enough = new AbortController();
    const first = await Promise.race([work, pause(ANSWER_MS, enough.signal)]);
    enough.abort();
    acknowledge(first?.payload);
    await (await work).after?.(first === undefined);
  }

  async function workOf(payload: unknown): Promise<Handled> {
    const pressed = safelyParse(Actions, payload);
    if (pressed.success) return press(pressed.data);
    const submitted = safelyParse(Submission, payload);
    return submitted.success ? submit(submitted.data) : {};
  }

  async function press(data: Actions): Promise<Handled> {
    const [action] = data.actions;
    const value = action?.value ?? action?.selected_option?.value ?? "";
    if (value === "pair") return { after: () => offerPairing(data) };
    const person = paired(data);
    if (!person) return { after: () => whisper(data, HOW_TO_PAIR, pairBlocks(HOW_TO_PAIR)) };
    const test = tests.get(value.replace(/^test\./, ""));
    if (test) return (test(person.name), {});
    // Every change of the list; *Done* has all of them.
    if (action?.action_id === "v") return {};
    const [, verb, ask, version] = /^([fm])\.([\w-]{1,32})\.([0-9a-z]{1,8})$/.exec(value) ?? [];
    if (verb === "f" && ask !== undefined) return { after: () => openForm(ask, data) };
    const button = readButton(value);
    const about = nameOf(data);
    const id = `${about} ${data.user.id} ${action?.action_ts ?? value}`;
    const reply = { messenger: NAME, id, message: about, person } as const;
    let told: Told = { state: "unknown", words: "This button does nothing any more." };
    if (button) told = await take({ ...reply, ...button });
    else if (verb === "m" && ask !== undefined) {
      const input = { type: "sheet", answers: [{ picks: ticksIn(data) }] } as const;
      told = await take({ ...reply, ask, version: Number.parseInt(version ?? "", 36), input });
    }
    return { after: () => answer(data, told) };
  }

  /** The message itself says when it is answered: that is done by whoever sent it. */
  async function answer(data: Actions, told: Told): Promise<void> {
    if (told.state === "answered" || told.state === "kept") return;
    await whisper(data, told.words);
    // One that nobody would mark: what is over has no buttons.
    if (told.state === "unknown") await bare(data, told.words);
    else if (told.state === "settled" && !isKnown(nameOf(data))) await bare(data, "This question is settled");
  }

  async function submit({ user, team, view }: Submission): Promise<Handled> {
    const { ask, version, message, free } = metadata(view.private_metadata);
    if (view.callback_id === "pair")
      return pair({ user, team }, view.state.values["code"]?.["v"]?.value ?? "", message);
    const person = paired({ user, team });
    if (!person) return { payload: { response_action: "update", view: wordsView(HOW_TO_PAIR) } };
    const { answers, fields } = answersIn(view.state, countIn(view.state));
    const empty = answers.flatMap(({ picks, text }, at) =>
      picks.length === 0 && text === undefined && !free.includes(at)
        ? [[fields[at], "Choose, or write your own words"]]
        : [],
    );
    if (empty.length > 0) return { payload: errors(Object.fromEntries(empty) as Json) };
    const id = `${view.id} ${view.hash ?? ""}`;
    const told = await take({ messenger: NAME, id, ask, version, message, person, input: { type: "sheet", answers } });
    const words = safeLine(told.words, { max: 1000 });
    const after = async (late: boolean) => {
      const [channel = "", ts = ""] = message.split(":");
      if (late && told.state !== "answered") await whisper({ user, channel: { id: channel }, message: { ts } }, words);
    };
    if (told.state === "answered") return { after };
    if (told.state === "refused") return { payload: errors({ [fields[0] ?? "0.pick"]: words }), after };
    return { payload: { response_action: "update", view: wordsView(words) }, after };
  }

  async function pair(who: Pick<Actions, "user" | "team">, code: string, message: string): Promise<Handled> {
    const [channel = ""] = message.split(":");
    const taken = await pairs.take(code, { messenger: NAME, ...personOf(who), chat: channel });
    if (!taken) return { payload: errors({ code: "That is no code of now: parley notify pair slack shows another" }) };
    log("info", "somebody was paired", { messenger: NAME });
    const words = "Paired. Questions of your agents come to this channel; your answers go back to them.";
    const text = `✓ Paired with ${personOf(who).name}`;
    const [, ts = ""] = message.split(":");
    const body = { channel, ts, text: escaped(text), blocks: [section(text)] };
    // Beside a message of one's own there is nothing to be marked.
    const after = () => quietly(call("chat.update", body, limited()));
    return { payload: { response_action: "update", view: wordsView(words) }, after };
  }

  async function offerPairing(data: Actions): Promise<void> {
    if (!pairs.isExpecting(NAME)) {
      const words = "No code waits to be used. On the machine with the agents run: parley notify pair slack";
      await whisper(data, words);
      if (data.container?.is_ephemeral !== true) await bare(data, "This code is over");
      return;
    }
    await show(data, pairView(nameOf(data)));
  }

  async function openForm(ask: string, data: Actions): Promise<void> {
    const found = await sheet(ask);
    if ("state" in found) return answer(data, found);
    await show(data, formView(found, nameOf(data)));
  }

  /** A trigger is worth three seconds: who was too late presses again. */
  async function show(data: Actions, view: Json): Promise<void> {
    try {
      await call("views.open", { trigger_id: data.trigger_id ?? "", view }, limited());
    } catch (error) {
      const isLate = error instanceof SlackError && /trigger/.test(error.code);
      if (!isLate) log("warn", "a form was not shown", { messenger: NAME, error: wordsOf(error) });
      await whisper(data, "The form could not be opened. Press again.");
    }
  }

  async function whisper(
    { user, channel, message }: Pick<Actions, "user" | "channel" | "message">,
    words: string,
    blocks?: readonly Block[],
  ): Promise<void> {
    if (!channel) return;
    const thread = message?.thread_ts;
    const body = { channel: channel.id, user: user.id, text: escaped(safeLine(words, { max: 1000 })) };
    await quietly(call("chat.postEphemeral", { ...body, thread_ts: thread, blocks }, limited()));
  }

  async function bare({ channel, message, container }: Actions, words: string): Promise<void> {
    if (!channel || !message || container?.is_ephemeral === true) return;
    const blocks = markedBlocks(message.blocks ?? [], safeLine(words, { max: 400 }));
    const body = { channel: channel.id, ts: message.ts, text: escaped(safeLine(words, { max: 400 })), blocks };
    await quietly(call("chat.update", body, limited()));
  }

  /** What was done is done: that its person was not told so is a line in the log. */
  async function quietly(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => {
      if (!isDone(error)) log("warn", "a reply was not answered", { messenger: NAME, error: wordsOf(error) });
    });
  }

  function paired(who: Pick<Actions, "user" | "team">): Person | undefined {
    const { id } = personOf(who);
    const found = pairs.of(NAME).find((each) => each.id === id);
    return found && { id, name: found.name };
  }

  return {
    isOpen: socket.isOpen,
    problem: socket.problem,
    ready: socket.ready,
    ...createListening("Slack", socket.run, log),
  };
}

/** Of the message it happened to. */
const nameOf = ({ channel, message, container }: Actions) =>
  `${channel?.id ?? ""}:${message?.ts ?? container?.message_ts ?? ""}`;
const errors = (said: Json) => ({ response_action: "errors", errors: said });
const limited = () => AbortSignal.timeout(CALL_MS);
const wordsOf = (error: unknown) => (error instanceof SendError ? error.message : "internal");

const Metadata = z.looseObject({
  ask: z.string().catch(""),
  version: z.number().catch(0),
  message: z.string().catch(""),
  free: z.array(z.number()).catch([]),
});

/** What was kept in a form of ours. */
function metadata(text: string): z.infer<typeof Metadata> {
  try {
    return Metadata.parse(JSON.parse(text));
  } catch {
    return { ask: "", version: 0, message: "", free: [] };
  }
}
