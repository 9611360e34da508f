/** `star`: a pattern for names in a folder, which a shell would look up. */
export type Value = { text: string; star?: boolean };

/** What a command says about itself before it runs: only what stands in its words. */
export type CommandReading = {
  did: Did[];
  /** Why something cannot be told, each once. */
  unknown: string[];
};

/** What a simple command does, as its words say it. `by`: which words. `from`: the folder it is run in, where it names one. */
export type Did = { by: string; from?: string } & (
  | { type: "touches"; does: Does; path: string; star?: boolean; recursive?: boolean }
  | { type: "host"; host: string; note?: string }
  /** A name that the repository's settings lead on. */
  | { type: "remote"; name: string | undefined; push: boolean; force?: boolean }
  /** A line of a file that says what runs. */
  | { type: "script"; name: string }
  | { type: "runs"; text: string }
  /** What can be done about it afterwards, where that is in the nature of the command. */
  | { type: "undo"; text: string }
  /** It takes away what was not committed. */
  | { type: "discards"; what: "changes" | "untracked" }
);
export type Does =
  | "deletes"
  | "writes"
  | "appends to"
  | "makes"
  | "moves"
  | "reads"
  | "changes the rights of"
  | "runs"
  | "names";

/** The words of a simple command behind its program. */
export type Args = { options: string[]; operands: Value[]; program: string };
export type Take = (args: Args, reading: CommandReading) => void;

export const ADDRESS = /^(?:https?|ftp|ssh|git|wss?):\/\//i;

export const has = ({ options }: Args, short: string, long: string): boolean =>
  options.some((option) => option === long || (/^-[A-Za-z]+$/.test(option) && option.includes(short)));

export function touch(reading: CommandReading, does: Does, { text, star }: Value, by: string, recursive = false): void {
  reading.did.push({ type: "touches", does, path: text, by, ...(star && { star }), ...(recursive && { recursive }) });
}

export const each =
  (does: Does): Take =>
  (args, reading) => {
    const isRecursive = has(args, "r", "--recursive") || has(args, "R", "--recursive");
    for (const operand of args.operands) touch(reading, does, operand, `argument of ${args.program}`, isRecursive);
  };

export function host(reading: CommandReading, url: string, by: string, note?: string): void {
  const found = URL.parse(url)?.host;
  if (found) reading.did.push({ type: "host", host: found, by, ...(note !== undefined && { note }) });
  else reading.unknown.push("which host it talks to: the address cannot be read");
}

/** `host`, `user@host`, `user@host:path`. */
export function namedHost(reading: CommandReading, word: string | undefined, program: string): boolean {
  const [, name] = /^(?:[^@:/]+@)?([^@:/]+)(?::|$)/.exec(word ?? "") ?? [];
  if (name === undefined) return false;
  const note = `${program}'s settings may mean another one by that name`;
  reading.did.push({ type: "host", host: name, by: `argument of ${program}`, note });
  return true;
}
