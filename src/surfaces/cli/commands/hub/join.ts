import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { clock } from "../../../../core/words/time.ts";
import type { ResultOf } from "../../../../protocol/contract.ts";
import type { Terminal } from "../../../terminal/terminal.ts";
import { defineCommand } from "../../command-line/define.ts";
import { jsonLine } from "../../json.ts";

export const command = defineCommand({
  about:
    "Joins a hub: what agents ask in the projects you name is shown there, and its members may answer it. Nothing else is shared, nothing listens on this machine, and agents do not notice when the hub is away. Without an address: which hub was joined, and whether it is there.",
  options: {
    code: { value: "CODE", description: "from parley hub code" },
    project: { value: "PATH", of: "file", repeatable: true, description: "a folder whose questions are shared" },
    name: { value: "NAME", description: "what this machine is called there (its host name)" },
    ca: { value: "FILE", of: "file", description: "certificates of the private authority of the hub's" },
    without: {
      value: "PARTS",
      description: "keep these here: context (what was said before a question), previews (also diffs)",
    },
    tasks: { description: "its approvers may give agents work in these folders" },
    accept: {
      value: "MARK",
      repeatable: true,
      description: "accept what the hub has changed since: a member's passkey, or a demand that it dropped",
    },
    yes: { short: "y", description: "do not ask" },
    "plain-http": { description: "also over plain HTTP to another machine" },
  },
  usage: ["<address of the hub> --code CODE --project PATH… [options]", "[--json]", "--accept MARK [--accept MARK …]"],
  positionals: { url: { optional: true } },
  needs: "Where? parley join <address of the hub> --code CODE --project <folder>",
  async run(
    { url, code, project, name, ca: file, without: parts, tasks, accept, yes, json, "plain-http": plain },
    { terminal, client },
  ) {
    if (accept.length > 0) {
      if (url !== undefined)
        throw new ParleyError("usage", "Choose one: join a hub, or --accept; each mark has its own --accept");
      const now = await client.call("acceptHub", { body: { marks: accept } });
      return (terminal.out(json ? jsonLine(now) : `✓ accepted\n${trustWords(now.trust)}`), 0);
    }
    if (url === undefined) return tellState(await client.call("hubState"), json, terminal);
    if (code === undefined) throw new ParleyError("usage", "Which code? On the hub's machine: parley hub code");
    if (project.length === 0) throw new ParleyError("usage", "What is shared? Name a folder: --project <folder>");
    const ca = file === undefined ? undefined : await readCertificates(resolve(terminal.cwd, file));
    const without = partsIn(parts);
    const projects = project.map((path) => resolve(terminal.cwd, path));
    if (!json) {
      const folders = projects.map((path) => `  ${safeLine(path)}\n`).join("");
      terminal.out(
        `Shared with ${safeLine(url)}: what agents ask in\n${folders}${withContext(without)}, and how it was answered. Nothing else.\n${tasks ? GIVEN_THERE : ""}`,
      );
    }
    if (!yes) {
      if (!terminal.ask || json) throw new ParleyError("usage", "Nothing was joined: add --yes");
      if (!/^y(es)?$/i.test((await terminal.ask("Join? [y/N] "))?.trim() ?? ""))
        return (terminal.err("Nothing was joined.\n"), 1);
    }
    const body = {
      url,
      code,
      projects,
      ca,
      ...(without.length > 0 && { without }),
      ...(tasks && { tasks }),
      ...(name !== undefined && { name }),
      ...(plain && { plain }),
    };
    const joined = await client.call("joinHub", { body });
    terminal.out(
      json
        ? jsonLine(joined)
        : `✓ joined ${safeLine(joined.hub)} as ${safeLine(joined.machine.name)} (${joined.machine.id})\n${trustWords(joined.trust)}`,
    );
    return 0;
  },
});

const GIVEN_THERE =
  "Approvers and admins of that hub may give agents work in these folders, by this machine's own settings.\n";

/** Its content is kept: the file may go away. */
async function readCertificates(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new ParleyError("usage", `The certificates in ${safeLine(path)} cannot be read`, { cause });
  });
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new ParleyError("usage", `There is no certificate in ${safeLine(path)}: expected PEM`);
}

const PARTS = ["context", "previews"] as const;
type Part = (typeof PARTS)[number];

function partsIn(typed: string | undefined): Part[] {
  const words = typed === undefined ? [] : typed.split(",").map((each) => each.trim());
  const parts = PARTS.filter((each) => words.includes(each));
  if (words.some((each) => !PARTS.some((part) => part === each)))
    throw new ParleyError("usage", `--without: ${PARTS.join(", ")} or both`);
  return parts;
}

function withContext(without: readonly string[]): string {
  const parts = [
    `${without.includes("context") ? "without" : "with"} its context`,
    ...(without.includes("previews") ? ["without previews and diffs"] : []),
  ];
  return parts.join(", ");
}

type State = ResultOf<"hubState">;

function tellState(found: State, json: boolean, { out }: Terminal): number {
  const { joined, hub = "", machine, projects = [], state = "", since } = found;
  if (json) return (out(jsonLine(found)), 0);
  if (!joined) return (out("This machine has not joined a hub.\n"), 0);
  const at = since === undefined ? "" : ` since ${clock(since)}`;
  out(
    `${safeLine(hub)}  ${safeLine(state)}${at}\nAs ${safeLine(machine?.name ?? "")} (${safeLine(machine?.id ?? "")}); shared:\n`,
  );
  out(projects.map((path) => `  ${safeLine(path)}\n`).join(""));
  if (found.without?.length) out(`Not told: ${found.without.map((part) => safeLine(part)).join(", ")}\n`);
  if (found.tasks) out(GIVEN_THERE);
  out(trustWords(found.trust));
  return 0;
}

/** Whose signatures count here; what the hub has changed stands below, with what to type. */
function trustWords(trust: State["trust"]): string {
  if (!trust) return "";
  const { keys, waiting, demands } = trust;
  const person = ({ name, mark }: { name: string; mark: string }) => `  ${mark}  ${safeLine(name, { max: 80 })}\n`;
  const demand = ({ words, mark }: { words: string; mark: string }) => `  ${mark}  ${safeLine(words, { max: 300 })}\n`;
  const dropped = demands.filter((each) => each.dropped);
  const part = (title: string, lines: readonly string[]) => (lines.length === 0 ? "" : `${title}\n${lines.join("")}`);
  const accept = waiting.length + dropped.length > 0 ? "Accept one: parley join --accept <mark>\n" : "";
  return [
    part("Demanded of answers:", demands.map(demand)),
    part("Signatures count of:", keys.map(person)),
    part("New passkeys, which do not count here yet:", waiting.map(person)),
    part("Not demanded by the hub any more, but here:", dropped.map(demand)),
    accept,
  ].join("");
}
