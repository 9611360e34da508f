import { connectHub } from "../../../../client/hub-client.ts";
import { ParleyError } from "../../../../core/error.ts";
import { calledAs } from "../../../../core/hub-called.ts";
import { projectName } from "../../../../core/hub-names.ts";
import { isClaimed } from "../../../../core/hub-ask.ts";
import { shortId } from "../../../../core/id.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { clock } from "../../../../core/words/time.ts";
import { claimWords } from "../../../../core/words/hub-words.ts";
import { timeSpan } from "../../../terminal/time-span.ts";
import { defineCommand } from "../../command-line/define.ts";
import { refuseAgents } from "../../guard.ts";
import { PLACE_NOTES, PLACE_OPTIONS } from "../../hub-place.ts";
import { jsonLine } from "../../json.ts";
import { refuseNoProject, ROLES, sayEarlier, withAdmin } from "./hub-admin.ts";

export const invite = defineCommand({
  about:
    "A link with which one person makes a passkey and is a member from then on. It works once; it is shown now and kept nowhere. For a member it is another role, or another device.",
  options: {
    ...PLACE_OPTIONS,
    role: { value: "ROLE", of: ROLES, description: "viewer, answerer, approver or admin" },
    project: { value: "P", description: "only of this project, by the name that ls shows" },
    ttl: { value: "D", default: "24h", description: "how long it works (24h)" },
    url: { value: "URL", description: "where the hub's page is (as it said when it started)" },
  },
  positionals: { name: {} },
  needs: "Whom? parley hub invite <name> --role <role>",
  notes: PLACE_NOTES,
  async run(values, context) {
    const { role = "", url } = values;
    const project = values.project && projectName(values.project);
    refuseNoProject([project]);
    const name = calledAs(values.name);
    if (name === "") throw new ParleyError("usage", "Whom? parley hub invite <name> --role <role>");
    if (!ROLES.some((each) => each === role)) throw new ParleyError("usage", `--role: one of ${ROLES.join(", ")}`);
    const ms = timeSpan(values.ttl, "--ttl");
    const made = await withAdmin(values, context, (admin) => admin.invite({ name, role, project, ms, url }));
    const words = `${made.link}\n\nIt makes ${name} a member (${role}${project === undefined ? "" : ` of ${safeLine(project)}`}), once, until ${clock(made.expiresAt)}.\n`;
    if (!values.json) sayEarlier(made, context);
    context.terminal.out(values.json ? jsonLine(made) : words);
    return 0;
  },
});

export const claim = defineCommand({
  about: "Says to all who see it in the hub that you are on a question. It ends by itself, and with the answer.",
  options: {
    to: { value: "NAME", description: "hand it to this member, who may answer it" },
    release: { description: "you are not on it any more" },
  },
  positionals: { id: {} },
  needs: "Which? parley hub claim <id>; see: parley ls --hub",
  notes: "Environment: PARLEY_HUB is the hub, PARLEY_HUB_TOKEN_FILE a file with your token.",
  async run(values, context) {
    if (values.release && values.to !== undefined) throw new ParleyError("usage", "Choose one: --to or --release");
    await refuseAgents("hub-answer", context);
    const hub = await connectHub(context.terminal.env);
    const { id } = await hub.ask(values.id);
    const ask = values.release ? await hub.release(id) : await hub.claim(id, values.to);
    // One's own is gone now.
    if (values.release && ask.claim && isClaimed(ask, Date.now()))
      throw new ParleyError("busy", `${claimWords(ask.claim, Date.now())}: nothing was changed`);
    const words = ask.claim ? claimWords(ask.claim, Date.now()) : `nobody is on ${shortId(id)}`;
    context.terminal.out(values.json ? jsonLine(ask) : `✓ ${words}\n`);
    return 0;
  },
});
