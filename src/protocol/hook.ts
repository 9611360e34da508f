import { z } from "zod";

/** What a hook process tells the daemon. Of the agent's environment only the named facts below ever leave it. */
export const HookCall = z.looseObject({
  agent: z.string(),
  /** One hook process; the same after a reconnect, so that a hold survives a restart of the daemon. */
  call: z.string(),
  /** When the agent called the hook: without a daemon it gets through only later. */
  calledAt: z.number().optional(),
  /** The hook can wait for an answer. */
  waits: z.boolean(),
  payload: z.looseObject({}),
  /** It comes before every call, only to hear whether this one must be asked about. */
  mustAsk: z.boolean().optional(),
  /** Its agent can be told of a call that was changed: then one may be. */
  edits: z.boolean().optional(),
  /** It comes after a call that may have been changed. */
  ran: z.boolean().optional(),
  /** Its person wants it to wait, although no dialog opens meanwhile. */
  patient: z.boolean().optional(),
  facts: z.looseObject({
    pid: z.number().int().optional(),
    /** The hook's own process, whose parent `pid` is. */
    hook: z.number().int().optional(),
    /** Its environment says that an agent started it, as agents' own hooks are started. */
    marked: z.boolean().optional(),
    /** The task whose run it is. */
    task: z.string().max(40).optional(),
    /** It came through the socket in that task's sandbox; said by the daemon. */
    sandbox: z.boolean().optional(),
    /** Where the daemon sees other processes: when `pid` was started, as the kernel counts it. */
    started: z.string().max(40).optional(),
    /** It came out of this container; said by the daemon. */
    container: z.string().max(40).optional(),
    /** Its working directory in there, where that is none of this machine's; said by the daemon. */
    folder: z.string().max(4096).optional(),
    tmux: z.string().max(1000).optional(),
    pane: z.string().max(100).optional(),
  }),
});
export type HookCall = z.infer<typeof HookCall>;

/**
 * `output` is what the hook prints, if anything; `handed` names what it hands to the agent with it.
 * `again`: the daemon is going away; come back to the next one.
 */
export const HookReply = z.looseObject({
  again: z.boolean().optional(),
  output: z.unknown().optional(),
  /** What the person made of the call, where they changed it. */
  changed: z.string().optional(),
  handed: z
    .array(z.looseObject({ ask: z.string(), key: z.string(), channel: z.string() }))
    .max(1000)
    .default([]),
});
export type HookReply = z.infer<typeof HookReply>;

/** `output`: what it really printed. */
export const HookAck = z.looseObject({
  call: z.string(),
  handed: HookReply.shape.handed,
  output: z.unknown().optional(),
});
export type HookAck = z.infer<typeof HookAck>;

/** Why a waiting hook stopped: told to end by the agent, its own deadline, its agent gone, a reply it did not trust. */
export const HookRelease = z.looseObject({
  call: z.string(),
  reason: z.enum(["signal", "deadline", "agent-exited", "bad-reply", "hook-gone", "subagent", "own-dialog"]),
  /** What it had been given and did not hand on. */
  handed: HookReply.shape.handed.optional(),
});
export type HookRelease = z.infer<typeof HookRelease>;
