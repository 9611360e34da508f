import { ADDRESS, each, host, namedHost, type Take } from "./command-reading.ts";

/** What a subcommand of git says about itself. */
export const gitCommand: Take = (args, reading) => {
  const {
    operands: [verb, ...rest],
    options,
  } = args;
  const [flags, by] = [options.join(" "), `git ${verb?.text ?? ""}`];
  if (/(^| )(-C|-c|--git-dir|--work-tree|--exec-path)/.test(flags))
    return void reading.unknown.push("git is told to look elsewhere");
  switch (verb?.text ?? "") {
    case "push": {
      const force =
        /(^| )(-f|--force\S*|--mirror|--delete|-d)( |$)/.test(flags) || rest.some(({ text }) => /^[+:]/.test(text));
      reading.did.push({ type: "remote", name: rest[0]?.text, push: true, by, ...(force && { force }) });
      return void reading.did.push({
        type: "undo",
        text: force
          ? "A forced push takes away what was there; only whoever has it can push it again"
          : "What was pushed can be read by others until another push replaces it",
        by,
      });
    }
    case "fetch":
    case "pull":
    case "ls-remote":
      return void reading.did.push({ type: "remote", name: rest[0]?.text, push: false, by });
    case "clone":
      if (rest[0] && ADDRESS.test(rest[0].text)) host(reading, rest[0].text, by);
      else namedHost(reading, rest[0]?.text, "ssh");
      return;
    case "commit":
      return void reading.did.push({
        type: "undo",
        text: "git reset --soft HEAD~1 takes the commit back and keeps its changes",
        by,
      });
    case "add":
      return void reading.did.push({ type: "undo", text: "git restore --staged takes it out of the index again", by });
    case "rm":
      return each("deletes")({ ...args, operands: rest }, reading);
    case "clean":
      return void reading.did.push({ type: "discards", what: "untracked", by });
    case "reset":
      return void reading.did.push(
        /--hard|--merge/.test(flags)
          ? { type: "discards", what: "changes", by }
          : { type: "undo", text: "git reflog names the commit that was checked out before", by },
      );
    case "checkout":
    case "switch":
    case "restore":
      if (
        verb?.text === "restore" ||
        /(^| )(-f|--force|--discard-changes)( |$)/.test(flags) ||
        rest.some(({ text }) => text === ".")
      )
        reading.did.push({ type: "discards", what: "changes", by });
      return;
    case "status":
    case "log":
    case "diff":
    case "show":
    case "branch":
    case "rev-parse":
      return;
    default:
      reading.unknown.push(`what “${by.slice(0, 40)}” does is not known to Parley`);
  }
};
