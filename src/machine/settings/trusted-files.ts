import { readFileSync } from "node:fs";
import { asRecord } from "../../core/record.ts";
import { writeAtomic } from "../file/atomic-file.ts";

/** What a person looked at and trusted. `text`: all of it, so that what changed since can be shown. */
export type TrustedFile = { digest: string; at: number; text: string };
export type TrustedFiles = ReturnType<typeof createTrustedFiles>;

/**
 * The projects' own settings files that the person trusts, by their real path.
 * Contract: what `set` was told holds, and is on disk, when it resolves, and not when it fails; what cannot be read trusts
 * nothing.
 */
export function createTrustedFiles(file: string) {
  let kept = read(file);
  let turn = Promise.resolve();

  return {
    of: (path: string): TrustedFile | undefined => kept.get(path),
    all: (): ReadonlyMap<string, TrustedFile> => kept,
    set(path: string, trusted: TrustedFile | undefined): Promise<void> {
      turn = turn
        .catch(() => undefined)
        .then(async () => {
          const others = [...kept].filter(([known]) => known !== path);
          const next = new Map(trusted ? [...others, [path, trusted]] : others);
          await writeAtomic(file, JSON.stringify(Object.fromEntries(next)), { own: true, mode: 0o600 });
          kept = next;
        });
      return turn;
    },
  };
}

function read(file: string): Map<string, TrustedFile> {
  try {
    const found = Object.entries(asRecord(JSON.parse(readFileSync(file, "utf8"))) ?? {});
    return new Map(found.flatMap(([path, value]) => (isTrusted(value) ? [[path, value]] : [])));
  } catch {
    return new Map();
  }
}

function isTrusted(value: unknown): value is TrustedFile {
  const { digest, at, text } = asRecord(value) ?? {};
  return typeof digest === "string" && typeof at === "number" && typeof text === "string";
}
