// Loaded before the real program: its clock is this machine's, moved by what stands in a file beside its home.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const RealDate = Date;
const file = join(process.env["PARLEY_HOME"] ?? "", "../clock");

function shift(): number {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return 0;
  }
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: [] | [number]) =>
    args.length === 0 ? new target(target.now() + shift()) : new target(...args),
  get: (target, name) =>
    name === "now" ? () => target.now() + shift() : (Reflect.get(target, name, target) as unknown),
});
