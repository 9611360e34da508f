import type { z } from "zod";

/** `agent` may ask and receive its own answers; `human` may see and settle everything. */
export type Capability = "none" | "agent" | "human";
export type Endpoint = {
  method: "GET" | "POST" | "PUT";
  path: string;
  needs: Capability;
  /** Says what it is for in the generated description. */
  about: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  result: z.ZodType;
  /** The result for who sends `Prefer: return=minimal` (RFC 7240). */
  brief?: z.ZodType;
  /** The result is text of this type, not JSON. */
  text?: string;
};
