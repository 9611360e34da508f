import { type ContentBlock, messageReply, MessagesRequest, textsOf, toolResultsOf } from "../src/lab/messages-api.ts";
import { decided, isFirst, screened } from "../test/e2e/verdict-reply.ts";

/** What the agent of the gateway ran, and what came back. */
export type Ran = { command: string; result?: string };
export type AnsweringModel = { url: string; ran: Ran[]; close(): Promise<void> };

/** The mind of the gateway's agent: reads the message and runs the command it names, at first with a wrong label. */
export function createAnsweringModel(): AnsweringModel {
  const ran: Ran[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      if (request.method !== "POST" || !request.url.includes("/v1/messages")) return Response.json({});
      const body = MessagesRequest.parse(await request.json());
      return messageReply(
        body,
        decide(body, ran).map((block) => ({ block, afterMs: 0 })),
      );
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, ran, close: () => server.stop(true) };
}

/** It is asked twice: whether a person is needed, and for the answer. Both times it runs the command it is told. */
function decide({ messages }: MessagesRequest, ran: Ran[]): ContentBlock[] {
  const text = messages.flatMap(textsOf).join("\n");
  const command = /^(\S.* answer \w{12} --as \S+) --(?:verdict|actions)/m.exec(text)?.[1];
  if (command === undefined) return NO_REPLY;
  const [step, most] = isFirst(text) ? (["--verdict", 1] as const) : (["--actions", 2] as const);
  const results = messages.flatMap(toolResultsOf);
  const before = ran.filter((each) => each.command.startsWith(`${command} ${step}`));
  for (const [i, { text: result }] of results.entries()) if (before[i]) before[i].result = result;
  if (results.length < before.length || before.length >= most) return NO_REPLY;
  const line = isFirst(text)
    ? `${command} --verdict ${quoted(screened(text))}`
    : `${command} ${answer(text, before.length === 0)}`;
  ran.push({ command: line });
  return [{ type: "tool_use", id: `toolu_${crypto.randomUUID().slice(0, 8)}`, name: "exec", input: { command: line } }];
}

type Decided = { actions: { optionIndex: number }[]; decidedBy: unknown[]; reason: string; confidence: number };

/** The second option is read out of the message, as a model would: the question is there in full. */
function answer(text: string, isWrong: boolean): string {
  const label = /^ {2}1\. (.+?) —/m.exec(text)?.[1] ?? "";
  const { actions, decidedBy, reason, confidence } = JSON.parse(decided(text, label)) as Decided;
  const labelled = actions.map((action) => ({ ...action, label: isWrong ? `not ${label}` : label }));
  const verdict = JSON.stringify({ decidedBy });
  return `--actions ${quoted(JSON.stringify(labelled))} --reason ${quoted(reason)} --confidence ${confidence} --verdict ${quoted(verdict)}`;
}

const NO_REPLY: ContentBlock[] = [{ type: "text", text: "NO_REPLY" }];
const quoted = (json: string) => `'${json.replaceAll("'", "\\u0027")}'`;
