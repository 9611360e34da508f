import { ParleyError } from "./error.ts";

/** Whoever reads it is to know that nothing is lost, and that nobody has to repair anything. */
const AFTERWARDS = "Nothing was changed; Parley continues on its own as soon as it can write again.";

const NO_ROOM = /^(SQLITE_FULL|ENOSPC|EDQUOT)$/;

/** The same of a full disk alone, where something else may have been refused than Parley's own files. */
export function orNoRoom(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!NO_ROOM.test(code)) return error;
  return new ParleyError("not_written", `There is no room left on the disk of ${path}. ${AFTERWARDS}`, {
    cause: error,
  });
}

/** In words, what keeps Parley from writing, as SQLite or the system says it; every other error comes back as it is. */
export function orUnwritable(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (NO_ROOM.test(code)) return orNoRoom(error, path);
  if (/^(SQLITE_(READONLY|IOERR|CANTOPEN|PERM)|EROFS|EACCES|EPERM|EIO)/.test(code))
    return new ParleyError("not_written", `${path} cannot be written (${code}). ${AFTERWARDS}`, { cause: error });
  return error;
}
