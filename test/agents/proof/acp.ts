import { signal, treeOf } from "../../../src/lab/process-tree.ts";
import type { Say } from "../../../src/lab/model.ts";
import type { Asked as Sent } from "../../acp/editor.ts";
import { eventually } from "../../patience.ts";
import { ACP_AGENTS, type AcpAgent, openAcpStage } from "../acp-stage.ts";
import type { Asked, Driven } from "./driver.ts";

export const acpAgent = (name: string): AcpAgent => {
  const found = ACP_AGENTS[name];
  if (!found) throw new Error(`no ${name}`);
  return found;
};
/** Of an agent that is a script, not what runs it. */
export const acpProgram = ({ command: [program = "", script = ""] }: AcpAgent): string =>
  script.startsWith("/") ? script : program;

/** Behind `parley acp`: the editor stands where the terminal does for others. */
export async function driveAcp(agent: AcpAgent, script: Record<string, Say[]>): Promise<Driven> {
  const stage = await openAcpStage(agent, { script });
  let [turn, before]: [Promise<unknown>, number] = [Promise.resolve(), 0];
  const last = () => stage.asked.at(-1) as Sent;
  return {
    model: stage.model,
    program: stage.program,
    project: stage.project,
    find: stage.ask,
    async prompt(text) {
      await turn;
      before = stage.asked.length;
      turn = stage.tell(text).catch(() => undefined);
    },
    shown: () =>
      eventually(() => {
        if (stage.asked.length === before) throw new Error(`nothing was asked: ${stage.lines.slice(-5).join("\n")}`);
      }),
    async pointsAt(pick, asked) {
      const { id, method, params } = last();
      const result = method.includes("elicitation") ? filled(params, pick) : allowed(params, asked, pick);
      return async () => stage.send({ id, result });
    },
    async escape() {
      const { id, method } = last();
      const isForm = method.includes("elicitation");
      stage.send({ id, result: isForm ? { action: "cancel" } : { outcome: { outcome: "cancelled" } } });
    },
    idle: () => turn,
    async kill() {
      for (const { pid } of treeOf(stage.child.pid).filter((each) => each.pid !== stage.child.pid))
        signal(pid, "SIGKILL");
    },
    screen: async () => `${stage.lines.slice(-5).join("\n")}\n${stage.errors()}`,
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

function filled(params: Record<string, unknown>, pick: number): object {
  type Form = { properties: Record<string, { oneOf?: { const: string }[] }> };
  const [[key, field] = ["", {}]] = Object.entries((params["requestedSchema"] as Form).properties);
  return { action: "accept", content: { [key]: field.oneOf?.[pick]?.const } };
}

/** Some ask a question as a permission, and take the answers beside it; other permissions are refused. */
function allowed(params: Record<string, unknown>, { header, labels }: Asked, pick: number): object {
  const options = params["options"] as { optionId: string; kind: string }[];
  const { optionId } = options.find(({ kind }) => kind === (header === "" ? "reject_once" : "allow_once")) ?? {};
  return { outcome: { outcome: "selected", optionId }, answers: { 0: labels[pick] } };
}
