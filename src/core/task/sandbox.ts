import { z } from "zod";

/** `host:port`, the one thing a named network has. */
export const ADDRESS = /^(\[[0-9a-f:]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?):([1-9]\d{0,4})$/i;

/**
 * What a sandbox reaches. `none`: nothing. `agent`: what its agent needs to work, nothing else. A list: that, and these.
 * `host`: whatever this machine reaches, its own loopback too.
 */
export const SandboxNetwork = z.union([z.enum(["none", "agent", "host"]), z.array(z.string().regex(ADDRESS)).max(100)]);
export type SandboxNetwork = z.infer<typeof SandboxNetwork>;

/** What a task runs in, decided when it is given: every run of it, and its check, are in the same. */
export const Sandbox = z.looseObject({
  /** The words of a container engine; without them it is bubblewrap. */
  command: z.array(z.string()).optional(),
  network: SandboxNetwork,
  /** What may be read besides the system and what the agent needs. */
  read: z.array(z.string()).default([]),
});
export type Sandbox = z.infer<typeof Sandbox>;
