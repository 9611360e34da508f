import { z } from "zod";
import { Pane } from "./ask.ts";

/** One run of an agent. `process` names it beyond reuse of its pid. */
export const Session = z.looseObject({
  id: z.string(),
  agent: z.string(),
  cwd: z.string().optional(),
  project: z.string().optional(),
  /** What it is called: its own title, or the first words of its person, short. */
  title: z.string().optional(),
  /** Its turn is over and it waits for a prompt. `asked`: it said so itself, after a while in which nobody came. */
  idle: z
    .looseObject({
      since: z.number(),
      said: z.string().optional(),
      asked: z.boolean().optional(),
      /** Which prompt its record had last: another one says that it went on. */
      prompt: z.number().optional(),
      dismissedAt: z.number().optional(),
    })
    .optional(),
  /** The container it runs in. */
  container: z.string().optional(),
  branch: z.string().optional(),
  pane: Pane.optional(),
  mode: z.string().optional(),
  /** Every permission mode it was seen in. */
  modes: z.array(z.string()).optional(),
  /** Asks that were corrected afterwards: its agent is told when it calls a hook that can carry words. */
  corrections: z.array(z.string()).optional(),
  /** The address of the server that runs it, where Parley is connected to one. */
  server: z.string().optional(),
  transcript: z.string().optional(),
  /** The command of a workflow that its person gave last, as far as its record was read. */
  command: z.string().optional(),
  /**
   * What was committed in its folder when it began: what it was itself able to write is not in it. Missing where Parley
   * did not see it begin.
   */
  base: z
    .looseObject({ top: z.string().optional(), commit: z.string().optional(), why: z.string().optional() })
    .optional(),
  process: z.looseObject({ pid: z.number(), started: z.string().optional() }).optional(),
  startedAt: z.number(),
  seenAt: z.number(),
  endedAt: z.number().optional(),
  endReason: z.string().optional(),
});
export type Session = z.infer<typeof Session>;
