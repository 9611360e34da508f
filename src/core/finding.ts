/** `problem`: questions do not get through, or what is kept is not safe. `note`: worth knowing, nothing to repair. */
export type Level = "ok" | "note" | "problem";
/** One thing that was looked at. `fix` is a command or a sentence. */
export type Finding = { check: string; level: Level; message: string; fix?: string };

export const ok = (check: string, message: string): Finding => ({ check, level: "ok", message });

export const note = (check: string, message: string, fix?: string): Finding => ({
  check,
  level: "note",
  message,
  ...(fix !== undefined && { fix }),
});

export const problem = (check: string, message: string, fix: string): Finding => ({
  check,
  level: "problem",
  message,
  fix,
});
