import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { NO_ROUTES, setRouteWords } from "../../../../core/words/hub-words.ts";
import { timeSpan } from "../../../terminal/time-span.ts";
import { defineCommand } from "../../command-line/define.ts";
import { PLACE_NOTES, PLACE_OPTIONS } from "../../hub-place.ts";
import { jsonLine } from "../../json.ts";
import { withAdmin } from "./hub-admin.ts";

export const route = defineCommand({
  usage: ["", "--to NAME… [--after D] [--project P] [--kind K] …", "--remove [--project P] [--kind K] [--stakes]"],
  about:
    "Whom questions go to: a member or a group, then the next. Each is told, reminded once after a while, and then it is the next one's. Who may answer it otherwise still may. The route that says most exactly what it is for counts. Alone: the routes there are.",
  options: {
    ...PLACE_OPTIONS,
    to: { value: "NAME", repeatable: true, description: "a member or group, in this order; everybody is a group" },
    project: { value: "P", description: "only of this project, by the name that ls shows" },
    kind: { value: "K", description: "only question, approval, plan, task …" },
    stakes: { description: "only where something is at stake: what cannot be undone, costs or reveals" },
    after: {
      value: "D",
      default: "10m",
      description: "reminded after so long, and the next after as long again (10m)",
    },
    remove: { description: "there is no such route any more; what was asked goes on" },
  },
  notes: PLACE_NOTES,
  async run(values, context) {
    const { to, project, kind, stakes, remove } = values;
    const { terminal } = context;
    const wish = { project, kind, stakes };
    if (remove) {
      if (to.length > 0) throw new ParleyError("usage", "Choose one: --to or --remove");
      const gone = await withAdmin(values, context, (admin) => admin.removeRoute(wish));
      terminal.out(values.json ? jsonLine(gone) : "✓ removed\n");
      return 0;
    }
    if (to.length === 0) {
      if (project !== undefined || kind !== undefined || stakes) throw new ParleyError("usage", "To whom? --to NAME");
      const routes = await withAdmin(values, context, (admin) => admin.routes());
      const none = `${NO_ROUTES} Set one: parley hub route --to NAME`;
      terminal.out(values.json ? jsonLine({ routes }) : `${routes.map(setRouteWords).join("\n") || none}\n`);
      return 0;
    }
    const ms = timeSpan(values.after, "--after");
    const made = await withAdmin(values, context, (admin) => admin.setRoute({ ...wish, to, ms }));
    terminal.out(values.json ? jsonLine(made) : `✓ ${setRouteWords(made)}\n`);
    return 0;
  },
});

export const group = defineCommand({
  usage: ["", "NAME MEMBER…", "NAME --remove"],
  about: "People whom questions go to together. Said again it has these members. Alone: the groups there are.",
  options: { ...PLACE_OPTIONS, remove: { description: "there is no such group any more" } },
  positionals: { names: { optional: true, repeatable: true } },
  notes: PLACE_NOTES,
  async run(values, context) {
    const { remove } = values;
    const [name, ...members] = values.names ?? [];
    const { terminal } = context;
    const line = ({ name: called, members: of }: { name: string; members: string[] }) =>
      `${safeLine(called)}: ${of.map((each) => safeLine(each)).join(", ") || "nobody"}`;
    if (name === undefined) {
      const groups = await withAdmin(values, context, (admin) => admin.groups());
      terminal.out(values.json ? jsonLine({ groups }) : `${groups.map(line).join("\n") || "None yet"}\n`);
      return 0;
    }
    if (remove === members.length > 0)
      throw new ParleyError("usage", "Who is in it? parley hub group <name> <member>…, or --remove");
    const made = await withAdmin(values, context, (admin) => admin.setGroup(name, members));
    terminal.out(values.json ? jsonLine(made) : remove ? "✓ removed\n" : `✓ ${line(made)}\n`);
    return 0;
  },
});
