import { z } from "zod";
import { asRecord, asText } from "../../core/record.ts";
import type { HeadlessRun } from "../capability/headless.ts";
import type { Talk, TalkStep } from "../capability/talk.ts";
import { requestName, spoken } from "./conversation.ts";
import { CallRequest, isQuestion, Message, name, type RequestId, Thread } from "./payload.ts";
import { isAskable } from "./remote.ts";
import type { Reply } from "./reply.ts";
import { versionIn } from "./version.ts";
import { safelyParse } from "../../core/safely-parse.ts";

const INITIALIZE = 1;
const THREAD = 2;
const TURN = 3;
const words = z.string().catch("");
const count = z.number().catch(0);
const Failure = z.looseObject({ message: words });
const Started = z.looseObject({ thread: Thread, model: name.optional().catch(undefined) });
const Item = z.looseObject({ threadId: name, item: z.looseObject({ type: words, id: words }) });
const Used = z.looseObject({
  threadId: name,
  turnId: name,
  tokenUsage: z.looseObject({ last: z.looseObject({ inputTokens: count, outputTokens: count }) }),
});
const TurnEnd = z.looseObject({
  threadId: name,
  turn: z.looseObject({ id: name, status: words, error: Failure.nullish().catch(undefined) }),
});
const Resolved = z.looseObject({ requestId: z.union([z.number(), z.string()]) });

type Params = Record<string, unknown>;
/** By the names of codex's own choices. */
const MODES: Record<string, Params> = {
  "read-only": { sandbox: "read-only", approvalPolicy: "on-request" },
  auto: { sandbox: "workspace-write", approvalPolicy: "on-request" },
  "full-access": { sandbox: "danger-full-access", approvalPolicy: "never" },
};
export const MODE_NAMES = ["plan", ...Object.keys(MODES)];

const NOTHING: TalkStep = { say: [], keep: [], isOver: false };
/** As JSON-RPC has it. */
const NO_SUCH_METHOD = -32601;

/**
 * One turn on an app-server of its own: the thread is begun or resumed, told what there is to say, and left when that
 * turn is over. What its subagents ask is asked too; all else of theirs is told by the turn.
 */
export function createTalk(run: HeadlessRun): Talk {
  const { session, start, prompt, model, permissionMode = "" } = run;
  const threads = new Map<string, Thread>();
  const open = new Map<string, { thread: string; turn: string }>();
  /** A question is no item of codex's: that it has returned, only this tells. */
  const questions = new Map<string, string>();
  const used = { turns: 0, inputTokens: 0, outputTokens: 0 };
  let [main, turn, version, said] = ["", "", "", ""];
  let last = TURN;

  const call = (method: string, id: number, params: Params) => ({ method, id, params });
  const ended = (ok: boolean, text: string): TalkStep => ({
    ...NOTHING,
    keep: [{ type: "ended", ok, text, used }],
    isOver: true,
  });

  function replied(id: RequestId, { result, ["error"]: error }: Message): TalkStep {
    const failure =
      error === undefined ? undefined : safelyParse(Failure, error).data?.message || "codex gave no reason";
    if (failure !== undefined && [INITIALIZE, THREAD, TURN].includes(Number(id))) return ended(false, failure);
    if (id === INITIALIZE) {
      version = versionIn(asText(result?.["userAgent"])) ?? "";
      const params = { ...(model !== undefined && { model }), ...MODES[permissionMode] };
      const begin =
        start.how === "prompt"
          ? call("thread/start", THREAD, params)
          : call("thread/resume", THREAD, { threadId: session, excludeTurns: true, ...params });
      return { ...NOTHING, say: [{ method: "initialized" }, begin] };
    }
    if (id === THREAD) return began(safelyParse(Started, result).data);
    if (id === TURN) turn = asText(asRecord(result?.["turn"])?.["id"]);
    return NOTHING;
  }

  function began(started: z.infer<typeof Started> | undefined): TalkStep {
    if (!started) return ended(false, "codex named no thread");
    const { thread } = started;
    main = thread.id;
    threads.set(main, thread);
    const text = start.how === "message" ? start.message : prompt;
    const settings = { model: started.model ?? model, reasoning_effort: null, developer_instructions: null };
    const plan = permissionMode === "plan" ? { collaborationMode: { mode: "plan", settings } } : {};
    const input = [{ type: "text", text, text_elements: [] }];
    const isNew = start.how === "prompt";
    return {
      ...NOTHING,
      say: [call("turn/start", TURN, { threadId: main, input, ...plan })],
      keep: [{ type: "began", version, session: main, event: { thread, began: isNew } }],
    };
  }

  /** Nobody else is there: what Parley cannot ask would wait for ever. */
  function asked(id: RequestId, message: Message): TalkStep {
    const request = safelyParse(CallRequest, message.params).data;
    if (!request || !isAskable(message)) {
      const text = `codex asked for ${message.method}, which nobody can be asked for here: it was refused`;
      const error = { code: NO_SUCH_METHOD, message: "Nobody is there who can be asked for this" };
      return { ...NOTHING, say: [{ id, error }], keep: [{ type: "refused", key: request?.itemId ?? "", text }] };
    }
    open.set(requestName(id), { thread: request.threadId, turn: request.turnId });
    if (isQuestion(message)) questions.set(requestName(id), request.itemId);
    const thread = threads.get(request.threadId) ?? threads.get(main);
    return { ...NOTHING, keep: [{ type: "asked", event: { message, thread } }] };
  }

  function noticed(message: Message): TalkStep {
    const { method = "", params } = message;
    switch (method) {
      case "thread/started": {
        const thread = safelyParse(Thread, params["thread"]).data;
        if (thread) threads.set(thread.id, thread);
        return NOTHING;
      }
      case "serverRequest/resolved": {
        const resolved = safelyParse(Resolved, params).data;
        const request = requestName(resolved?.requestId ?? "");
        open.delete(request);
        const key = questions.get(request) ?? "";
        return resolved ? { ...NOTHING, keep: [{ type: "settled", key, event: { message } }] } : NOTHING;
      }
      case "item/started":
      case "item/completed":
        return itemIn(params, method);
      case "thread/tokenUsage/updated":
        return usedIn(params);
      case "turn/completed": {
        const over = safelyParse(TurnEnd, params).data;
        if (over?.threadId !== main || (turn !== "" && over.turn.id !== turn)) return NOTHING;
        const { status, error } = over.turn;
        return ended(
          status === "completed",
          error?.message || (status === "completed" ? said : `its turn is ${status}`),
        );
      }
      default:
        return NOTHING;
    }
  }

  function itemIn(params: Params, method: string): TalkStep {
    const found = safelyParse(Item, params).data;
    if (found?.threadId !== main) return NOTHING;
    const isDone = method === "item/completed";
    if (isDone && found.item.type === "agentMessage") said = asText(found.item["text"]);
    return { ...NOTHING, keep: [{ type: isDone ? "done" : "doing", item: found.item }] };
  }

  /** A resumed thread says once more what its last turn used. */
  function usedIn(params: Params): TalkStep {
    const found = safelyParse(Used, params).data;
    if (found?.threadId !== main || (turn !== "" && found.turnId !== turn) || turn === "") return NOTHING;
    const { inputTokens, outputTokens } = found.tokenUsage.last;
    used.turns++;
    used.inputTokens += inputTokens;
    used.outputTokens += outputTokens;
    return { ...NOTHING, keep: [{ type: "used", message: `${turn} ${used.turns}`, inputTokens, outputTokens }] };
  }

  return {
    begin: () => {
      const clientInfo = { name: "parley", title: "Parley", version: "1" };
      return [call("initialize", INITIALIZE, { clientInfo, capabilities: { experimentalApi: true } })];
    },
    heard(raw) {
      const message = safelyParse(Message, raw).data;
      if (!message) return NOTHING;
      if (message.method === undefined) return message.id === undefined ? NOTHING : replied(message.id, message);
      return message.id === undefined ? noticed(message) : asked(message.id, message);
    },
    say({ path, body }) {
      const where = open.get(path);
      // Once only: the next daemon may not know that this one has said it.
      open.delete(path);
      return where && spoken(path, body as Reply, where, (method, params) => call(method, ++last, params));
    },
  };
}
