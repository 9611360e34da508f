import { z } from "zod";

/** What the end of a link inside an agent says first. It is answered with a stream of requests, one JSON a line. */
export const LinkHello = z.looseObject({
  agent: z.string().max(100),
  version: z.string().max(100).optional().catch(undefined),
  /** Of the agent, where it runs on this machine and says so. */
  pid: z.number().int().positive().optional(),
  directory: z.string().max(4096).optional(),
  /** The address of its server, where Parley has connected to it. */
  server: z.string().max(1000).optional(),
  /** Where the agent keeps its sessions. */
  record: z.string().max(4096).optional(),
  facts: z
    .looseObject({
      tmux: z.string().max(1000).optional(),
      pane: z.string().max(100).optional(),
      /** The task that the agent works on. */
      task: z.string().max(100).optional(),
    })
    .default({}),
});
export type LinkHello = z.infer<typeof LinkHello>;

/** Events as the agent has them. `call`: what the call was given, where the event does not say it. */
export const LinkEvents = z.looseObject({
  events: z.array(z.looseObject({ event: z.unknown(), call: z.unknown().optional() })).max(1000),
});
export type LinkEvents = z.infer<typeof LinkEvents>;

/** What became of requests. */
export const LinkReplies = z.looseObject({
  replies: z
    .array(z.looseObject({ id: z.number().int(), status: z.number().int(), body: z.unknown().optional() }))
    .max(1000),
});
export type LinkReplies = z.infer<typeof LinkReplies>;
