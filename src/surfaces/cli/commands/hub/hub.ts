import { ParleyError } from "../../../../core/error.ts";
import { isLoopback } from "../../../../machine/hub-url.ts";
import { timeSpan } from "../../../terminal/time-span.ts";
import { defineCommand } from "../../command-line/define.ts";
import { refuseAgents } from "../../guard.ts";
import { hubPlace, PLACE_NOTES, PLACE_OPTIONS, readGiven } from "../../hub-place.ts";
import { jsonLine } from "../../json.ts";

const LONGEST_DRAIN_MS = 3_600_000;

const admin = async () => import("./hub-admin.ts");
const routing = async () => import("./hub-route.ts");
const people = async () => import("./hub-people.ts");

export const command = defineCommand({
  usage: ["[--data DIR | --database URL] [--listen HOST:PORT]"],
  about:
    "Runs a hub in this terminal until Ctrl-C: machines that join it show their questions there, and people answer them on its page or with a token.",
  options: {
    ...PLACE_OPTIONS,
    listen: { value: "HOST:PORT", default: "127.0.0.1:4780", description: "where it is reached (127.0.0.1:4780)" },
    "tls-cert": { value: "FILE", of: "file", description: "its certificate, for https" },
    "tls-key": { value: "FILE", of: "file", description: "the key of that" },
    "trusted-proxy": {
      value: "CIDR",
      repeatable: true,
      description: "a proxy with a certificate, such as 10.0.0.0/8: plain HTTP from there alone",
    },
    "plain-http": { description: "also where others can listen in: behind a proxy" },
    url: { value: "URL", description: "where its page is: an https name (localhost)" },
    claim: { value: "D", default: "10m", description: "how long “I am on it” lasts (10m)" },
    drain: { value: "D", default: "5s", description: "how long it still serves after SIGTERM (5s)" },
    "push-text": { description: "a push shows the question, with its buttons" },
    "push-private": { description: "a push service may be in a private network" },
    json: { description: "its first line: url, pid, firstMemberLink" },
  },
  subcommands: [
    { name: "code", summary: "lets one machine join", load: async () => ({ command: (await admin()).code }) },
    {
      name: "token",
      summary: "lets a person answer, in a role",
      load: async () => ({ command: (await admin()).token }),
    },
    {
      name: "invite",
      summary: "a link for one person, who signs in with a passkey",
      load: async () => ({ command: (await people()).invite }),
    },
    {
      name: "claim",
      summary: "say that you are on a question, or hand it over",
      load: async () => ({ command: (await people()).claim }),
    },
    {
      name: "route",
      summary: "whom questions go to, and who is next",
      load: async () => ({ command: (await routing()).route }),
    },
    {
      name: "group",
      summary: "people whom questions go to together",
      load: async () => ({ command: (await routing()).group }),
    },
    { name: "machines", summary: "which have joined", load: async () => ({ command: (await admin()).machines }) },
    { name: "members", summary: "who may answer", load: async () => ({ command: (await admin()).members }) },
    {
      name: "revoke",
      summary: "a machine, member or browser may not any more",
      load: async () => ({ command: (await admin()).revoke }),
    },
    {
      name: "policy",
      summary: "which answers need two people, or a signature",
      load: async () => ({ command: (await import("./hub-policy.ts")).policy }),
    },
    {
      name: "audit",
      summary: "its log: export it, verify that nothing was changed",
      load: () => import("./hub-audit.ts"),
    },
    {
      name: "doctor",
      summary: "what is wrong with its database",
      load: async () => ({ command: (await admin()).doctor }),
    },
  ],
  notes: PLACE_NOTES,
  async run(values, context) {
    const { terminal, paths, client, version, hubs } = context;
    await refuseAgents("hub", { paths, client });
    const listen = readListen(values.listen);
    const [certFile, keyFile] = [values["tls-cert"], values["tls-key"]];
    if ((certFile === undefined) !== (keyFile === undefined))
      throw new ParleyError("usage", "--tls-cert and --tls-key go together");
    const trusted = values["trusted-proxy"];
    if (certFile === undefined && !isLoopback(listen.host) && !values["plain-http"] && trusted.length === 0)
      throw new ParleyError(
        "usage",
        `Others could listen in on plain HTTP at ${listen.host}: add --tls-cert and --tls-key, name the --trusted-proxy in front of it, or say --plain-http`,
      );
    const [claimMs, drainMs] = [timeSpan(values.claim, "--claim"), readDrain(values.drain)];
    const place = await hubPlace(values, context);
    const tls =
      certFile === undefined || keyFile === undefined
        ? {}
        : {
            tls: {
              cert: await readGiven("--tls-cert", certFile, terminal.cwd),
              key: await readGiven("--tls-key", keyFile, terminal.cwd),
            },
          };
    const { serveHub } = await hubs();
    const up = ({ url, page, firstMemberLink }: { url: string; page?: string; firstMemberLink?: string }) =>
      terminal.out(
        values.json
          ? jsonLine({ url, pid: process.pid, ...(page && { page }), ...(firstMemberLink && { firstMemberLink }) })
          : upWords(url, page, firstMemberLink),
      );
    await serveHub(place, {
      listen,
      version,
      up,
      trusted,
      plain: values["plain-http"],
      claimMs,
      drainMs,
      push: { text: values["push-text"], anywhere: values["push-private"] },
      ...(values.url !== undefined && { page: values.url }),
      ...tls,
    });
    return 0;
  },
});

function upWords(url: string, page: string | undefined, first: string | undefined): string {
  const people =
    page === undefined
      ? "People answer with a token; for its page, which needs a host name: --url https://name"
      : first === undefined
        ? `Its page: ${page}\nInvite somebody: parley hub invite NAME --role answerer`
        : `Its page: ${page}\nNobody can sign in there yet. The first one, once and within a day:\n  ${first}`;
  return `The hub is running at ${url}\n${people}\nLet a machine join: parley hub code\n`;
}

function readDrain(text: string): number {
  const ms = /^0(ms|s|m|h|d)?$/.test(text.trim()) ? 0 : timeSpan(text, "--drain");
  if (ms <= LONGEST_DRAIN_MS) return ms;
  throw new ParleyError("usage", `--drain: at most an hour, not "${text}"`);
}

function readListen(text: string): { host: string; port: number } {
  const [, host = "", port = ""] = /^(?:\[?(.+?)\]?):(\d{1,5})$/.exec(text) ?? [];
  if (host !== "" && Number(port) < 65_536) return { host, port: Number(port) };
  throw new ParleyError("usage", `--listen: expected HOST:PORT, not "${text}"`);
}
