import { isShallow } from "../../core/is-shallow.ts";

/** What the other end of a link said; undefined where it is no JSON, or is nested deeper than anything of ours. */
export function readLine(text: string | Buffer): unknown {
  try {
    const said: unknown = JSON.parse(text.toString());
    return isShallow(said) ? said : undefined;
  } catch {
    return undefined;
  }
}
