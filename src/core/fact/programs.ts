import {
  ADDRESS,
  type Args,
  type CommandReading,
  type Does,
  each,
  has,
  host,
  namedHost,
  type Take,
  touch,
  type Value,
} from "./command-reading.ts";
import { gitCommand } from "./git-command.ts";

/** Programs whose words are known to mean this, and nothing else. */
export function programs(program: string, values: readonly Value[], reading: CommandReading): void {
  const name = program.slice(program.lastIndexOf("/") + 1);
  const take = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  if (take) return take({ ...split(values, TAKES[name] ?? ""), program: name }, reading);
  if (program.includes("/")) touch(reading, "runs", { text: program }, "the program itself");
  const urls = values.filter(({ text }) => ADDRESS.test(text));
  for (const { text } of urls) host(reading, text, `an address in the words of ${name}`);
  for (const value of values.filter((each) => !urls.includes(each) && !each.text.startsWith("-") && !each.star))
    touch(reading, "names", value, `a word of ${name}`);
  if (!QUIET.has(name)) reading.unknown.push(`what “${name.slice(0, 40)}” does is not known to Parley`);
}

/** They change nothing. */
const QUIET = new Set(
  "ls pwd whoami date true false test [ which type id uname hostname df du env basename dirname realpath".split(" "),
);

/** Letters of options that take the next word. */
const TAKES: Record<string, string> = {
  touch: "drt",
  mkdir: "m",
  truncate: "sr",
  head: "nc",
  tail: "nc",
  curl: "oXHdAeubFTmw",
  wget: "OPoUt",
  ssh: "pilFoLRD",
  scp: "PiFo",
  chmod: "",
  grep: "emABCf",
  cut: "dfc",
  sort: "kto",
};

function split(values: readonly Value[], taking: string): Omit<Args, "program"> {
  const [options, operands]: [string[], Value[]] = [[], []];
  for (let i = 0, isOver = false; i < values.length; i++) {
    const value = values[i];
    if (!value) continue;
    if (isOver || !/^-./.test(value.text)) operands.push(value);
    else if (value.text === "--") isOver = true;
    else {
      options.push(value.text);
      const isTaking = /^-[A-Za-z]+$/.test(value.text) && taking.includes(value.text.at(-1) ?? "-") && taking !== "";
      if (isTaking && values[i + 1]) options.push(values[++i]?.text ?? "");
    }
  }
  return { options, operands };
}

/** The last one is where the others go. */
const toLast =
  (does: Does): Take =>
  (args, reading) => {
    const by = `argument of ${args.program}`;
    if (args.options.some((option) => /^(-[A-Za-z]*t|--target-directory)/.test(option)) || args.operands.length < 2)
      return void reading.unknown.push(`where “${args.program}” puts things is not understood`);
    for (const operand of args.operands.slice(0, -1)) touch(reading, does, operand, by, true);
    const last = args.operands.at(-1);
    if (last) touch(reading, "writes", last, `last ${by}`);
  };

export const isKnown = (program: string): boolean => Object.hasOwn(KNOWN, program.slice(program.lastIndexOf("/") + 1));

const ofRest =
  (does: Does): Take =>
  (args, reading) =>
    each(does)({ ...args, operands: args.operands.slice(1) }, reading);

const fetches: Take = (args, reading) => {
  const { options, operands, program } = args;
  const isElsewhere = options.some((option) =>
    /^(?:-[A-Za-z]*[xK]$|--(?:proxy|config|resolve|connect-to|socks|preproxy|unix-socket|input-file))/.test(option),
  );
  if (isElsewhere) reading.unknown.push(`which host ${program} talks to: its options lead elsewhere`);
  else
    for (const { text } of operands) {
      const url = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
      const note = program === "wget" || has(args, "L", "--location") ? "a reply may lead on to another" : undefined;
      host(reading, url, `address for ${program}`, note);
    }
  const out = options.findIndex((option) =>
    (program === "curl" ? /^-[A-Za-z]*o$|^--output$/ : /^-[A-Za-z]*O$|^--output-document$/).test(option),
  );
  const [file] = out < 0 ? [] : options.slice(out + 1, out + 2);
  if (file !== undefined && file !== "-") touch(reading, "writes", { text: file }, `output of ${program}`);
  else if (program === "wget" || has(args, "O", "--remote-name"))
    reading.unknown.push(`${program} names the file that it writes by itself`);
  if (has(args, "T", "--upload-file") || has(args, "d", "--data") || has(args, "F", "--form"))
    reading.did.push({ type: "undo", text: "What was sent cannot be called back", by: program });
};

const remoteShell: Take = ({ operands: [first, ...more], program }, reading) => {
  namedHost(reading, first?.text, program);
  reading.unknown.push(more.length > 0 ? `what ${program} does at the other end` : `what is typed there`);
};

const copiesAway: Take = ({ operands, program }, reading) => {
  for (const { text } of operands) {
    if (!/^(?:[^@:/]+@)?[^@:/]{2,}:/.test(text)) touch(reading, "names", { text }, `argument of ${program}`);
    else namedHost(reading, text, program);
  }
  reading.unknown.push(`which files ${program} changes`);
};

/** Only a script that replaces text: others may write files and run programs. */
const sed: Take = (args, reading) => {
  const inPlace = args.options.some((option) => /^(-[A-Za-z]*i|--in-place)/.test(option));
  const isPlain = /^s([/|,#@])(?:(?!\1).)*\1(?:(?!\1).)*\1[gIp0-9]*$/.test(args.operands[0]?.text ?? "");
  if (!isPlain || args.options.some((option) => /^-[A-Za-z]*[ef]$|^--(expression|file)/.test(option)))
    return void reading.unknown.push("what sed's script does");
  ofRest(inPlace ? "writes" : "reads")(args, reading);
};

const runsFile: Take = (args, reading) => {
  const {
    program,
    operands: [first],
    options,
  } = args;
  const isInline = options.some((option) => /^(-[ceE]|--eval|-m|-p)$/.test(option));
  if (first && !isInline) touch(reading, "runs", first, `argument of ${program}`);
  reading.unknown.push(`what the program does that ${program} runs`);
};

const shell: Take = (args, reading) => {
  if (args.options.length === 0 && args.operands.length > 0) return runsFile(args, reading);
  reading.unknown.push(`“${args.program}” runs what it is given`);
};

const packages: Take = ({ program, operands: [verb, name] }, reading) => {
  const script =
    verb?.text === "run" || verb?.text === "run-script"
      ? name?.text
      : ["test", "start", "stop"].includes(verb?.text ?? "")
        ? verb?.text
        : undefined;
  if (script !== undefined) reading.did.push({ type: "script", name: script, by: `${program} ${verb?.text ?? ""}` });
  reading.unknown.push(
    script === undefined ? `what “${program} ${verb?.text.slice(0, 20) ?? ""}” does here` : "what that script does",
  );
};

const KNOWN: Record<string, Take> = {
  rm: each("deletes"),
  rmdir: each("deletes"),
  unlink: each("deletes"),
  shred: each("deletes"),
  touch: each("makes"),
  mkdir: each("makes"),
  truncate: each("writes"),
  tee: (args, reading) => each(has(args, "a", "--append") ? "appends to" : "writes")(args, reading),
  mv: toLast("moves"),
  cp: toLast("reads"),
  ln: toLast("names"),
  install: toLast("reads"),
  chmod: (args, reading) =>
    (args.options.some((option) => /^-[rwxXst]+$/.test(option)) ? each : ofRest)("changes the rights of")(
      args,
      reading,
    ),
  chown: ofRest("changes the rights of"),
  chgrp: ofRest("changes the rights of"),
  cat: each("reads"),
  head: each("reads"),
  tail: each("reads"),
  wc: each("reads"),
  stat: each("reads"),
  file: each("reads"),
  diff: each("reads"),
  less: each("reads"),
  grep: ofRest("reads"),
  rg: ofRest("reads"),
  cut: each("reads"),
  sort: each("reads"),
  sed,
  git: gitCommand,
  curl: fetches,
  wget: fetches,
  ssh: remoteShell,
  scp: copiesAway,
  rsync: copiesAway,
  node: runsFile,
  python: runsFile,
  python3: runsFile,
  ruby: runsFile,
  perl: runsFile,
  php: runsFile,
  sh: shell,
  bash: shell,
  zsh: shell,
  npm: packages,
  pnpm: packages,
  yarn: packages,
  bun: packages,
};
