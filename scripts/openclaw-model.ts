import { type ContentBlock, messageReply, MessagesRequest, textsOf, toolResultsOf } from "../src/lab/messages-api.ts";

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

function decide({ messages }: MessagesRequest, ran: Ran[]): ContentBlock[] {
  const text = messages.flatMap(textsOf).join("\n");
  const command = /^(\S.* answer \w{12}) --actions/m.exec(text)?.[1];
  // The label is read out of the message, as a model would: the question is there in full.
  const label = /^ {2}1\. (.+?) —/m.exec(text)?.[1];
  if (command === undefined || label === undefined) return [{ type: "text", text: "NO_REPLY" }];
  const results = messages.flatMap(toolResultsOf);
  const before = ran.filter((each) => each.command.startsWith(command));
  for (const [i, { text: result }] of results.entries()) if (before[i]) before[i].result = result;
  if (results.length < before.length || before.length > 1) return [{ type: "text", text: "NO_REPLY" }];
  const given = before.length === 0 ? `not ${label}` : label;
  const actions = JSON.stringify([{ action: "select", optionIndex: 1, label: given }]);
  const line = `${command} --actions '${actions}' --reason 'The roadmap says so.' --confidence 0.9`;
  ran.push({ command: line });
  return [{ type: "tool_use", id: `toolu_${crypto.randomUUID().slice(0, 8)}`, name: "exec", input: { command: line } }];
}
