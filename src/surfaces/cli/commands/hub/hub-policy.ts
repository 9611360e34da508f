import { STAKES } from "../../../../core/autopilot/stake/stake.ts";
import { Kind } from "../../../../core/ask/ask.ts";
import { ParleyError } from "../../../../core/error.ts";
import { TASK_KIND } from "../../../../core/hub-names.ts";
import { NO_POLICIES, policyWords } from "../../../../core/words/hub-words.ts";
import { defineCommand } from "../../command-line/define.ts";
import { PLACE_NOTES, PLACE_OPTIONS } from "../../hub-place.ts";
import { jsonLine } from "../../json.ts";
import { withAdmin } from "./hub-admin.ts";

const KINDS = [...Kind.options, TASK_KIND];

export const policy = defineCommand({
  usage: ["", "--two [--signed] [--project P] [--kind K] [--stakes S]", "--remove ID"],
  about:
    "Which answers need two people, or a signature of a passkey; without --kind and --stakes it is for tasks given from the hub too. Two: different members have to choose the same, in either order, before anything is sent; to a task another one agrees. Signed: the browser signs exactly the question and the answer, and the machine that asked looks at it; a task has no signature and is refused. Without an option: what is demanded now.",
  options: {
    ...PLACE_OPTIONS,
    two: { description: "two members have to choose the same" },
    signed: { description: "with a passkey, on the hub's page; no token answers it" },
    project: { value: "P", description: "only of this project, by the name that ls shows" },
    kind: {
      value: "K",
      of: KINDS,
      description: "only of this kind, such as approval or plan; task: work given from the hub",
    },
    stakes: { value: "S", of: STAKES, description: `only where this is at stake: ${STAKES.join(", ")}` },
    remove: { value: "ID", description: "not any more" },
  },
  notes: PLACE_NOTES,
  async run(values, context) {
    const { two, signed, project, kind, stakes, remove, json } = values;
    const isNew = two || signed;
    if (remove !== undefined && isNew) throw new ParleyError("usage", "Choose one: a new one, or --remove");
    if (!isNew && (project ?? kind ?? stakes) !== undefined)
      throw new ParleyError("usage", "What is demanded of it? --two, --signed or both");
    const policies = await withAdmin(values, context, async (admin) => {
      if (remove !== undefined) await admin.removePolicy(remove);
      if (isNew) await admin.addPolicy({ two, signed, project, kind, stake: stakes });
      return admin.policies();
    });
    const lines = policies.map((each) => `${each.id}  ${policyWords(each)}\n`);
    const none = `${NO_POLICIES} See: parley help hub policy\n`;
    context.terminal.out(json ? jsonLine({ policies }) : lines.join("") || none);
    return 0;
  },
});
