import { ChatRequest, chatReply, toMessagesRequest } from "./chat-completions.ts";
import { GENERATES, GenerateRequest, generateReply, toMessagesRequest as ofContents } from "./generate-content.ts";
import {
  MessagesRequest,
  messageReply,
  textsOf,
  toolResultsOf,
  type ContentBlock,
  type Written,
  type ToolResult,
} from "./messages-api.ts";
import { ResponsesRequest, responsesReply, toMessagesRequest as ofResponses } from "./responses-api.ts";
import { PATIENCE_MS } from "./poll.ts";

/**
 * What the model says when the user's text holds `SCENARIO:<name>`; `otherwise`: to words without one. A tool call without
 * an id gets a fresh one; with `afterMs` it is written so much later than what stands before it.
 */
export type Say = { text: string } | { tool: string; input: Record<string, unknown>; id?: string; afterMs?: number };
export type Script = Readonly<Record<string, readonly Say[]>>;

export type Refusal = { status: number; type: string; message: string };

export type ScriptedModel = {
  url: string;
  /** Every parsed body of POST /v1/messages, /v1/chat/completions, /v1/responses and of the Gemini API, oldest first. */
  requests: readonly MessagesRequest[];
  /** What the model really received, in order of arrival; the same result in a later request is not repeated. */
  toolResults(): ToolResult[];
  waitForToolResult(toolUseId: string, timeoutMs?: number): Promise<ToolResult>;
  /** From now on every request fails so; without an argument they are answered again. */
  refuse(error?: Refusal): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A model on loopback that says what the script says, and afterwards repeats word for word what came back. */
export function createScriptedModel({ script, port = 0 }: { script: Script; port?: number }): ScriptedModel {
  const requests: MessagesRequest[] = [];
  const received = new Map<string, ToolResult>();
  const arrivals = new EventTarget();
  let refusal: Refusal | undefined;

  function take(request: MessagesRequest, reply: (written: Written[]) => Response): Response {
    if (refusal) return refused(refusal);
    requests.push(request);
    for (const result of request.messages.flatMap(toolResultsOf)) received.set(JSON.stringify(result), result);
    arrivals.dispatchEvent(new Event("request"));
    return reply(decide(script, request));
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/count_tokens")) return Response.json({ input_tokens: 10 });
      if (request.method !== "POST") return Response.json({});
      if (pathname === "/v1/chat/completions") {
        const chat = ChatRequest.parse(await request.json());
        return take(toMessagesRequest(chat), (written) => chatReply(chat, written));
      }
      if (pathname === "/v1/responses") {
        const asked = ResponsesRequest.parse(await request.json());
        return take(ofResponses(asked), (written) => responsesReply(asked, written));
      }
      if (GENERATES.test(pathname)) {
        const asked = GenerateRequest.parse(await request.json());
        return take(ofContents(asked), (written) => generateReply(asked, written, pathname.includes(":stream")));
      }
      if (pathname !== "/v1/messages") return Response.json({});
      const message = MessagesRequest.parse(await request.json());
      return take(message, (written) => messageReply(message, written));
    },
  });

  const close = () => server.stop(true);
  const toolResults = () => [...received.values()];
  const find = (toolUseId: string) => toolResults().find((result) => result.toolUseId === toolUseId);

  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    toolResults,
    waitForToolResult(toolUseId, timeoutMs = PATIENCE_MS) {
      const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
      const look = () => {
        const result = find(toolUseId);
        if (result) resolve(result);
      };
      const seen = () => JSON.stringify(toolResults());
      const timer = setTimeout(
        () => reject(new Error(`the model received no result for ${toolUseId} within ${timeoutMs} ms, only ${seen()}`)),
        timeoutMs,
      );
      arrivals.addEventListener("request", look);
      look();
      return promise.finally(() => {
        clearTimeout(timer);
        arrivals.removeEventListener("request", look);
      });
    },
    refuse: (error) => void (refusal = error),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function refused({ status, type, message }: Refusal): Response {
  return Response.json({ type: "error", error: { type, message } }, { status, headers: { "x-should-retry": "false" } });
}

function decide(script: Script, request: MessagesRequest): Written[] {
  const lastReply = request.messages.findLastIndex(({ role }) => role === "assistant");
  const unanswered = request.messages.slice(lastReply + 1);
  const scenario = unanswered.flatMap(textsOf).flatMap(scenarioIn).at(-1);
  if (scenario !== undefined) return perform(script, scenario, request);
  const results = unanswered.flatMap(toolResultsOf);
  if (results.length === 0) return script["otherwise"] ? perform(script, "otherwise", request) : atOnce("OK.");
  const heard = results.map(({ toolUseId, isError, text }) => `${toolUseId} err=${isError} ${text}`);
  return atOnce(`DONE. I got: ${heard.join(" || ")}`);
}

function scenarioIn(text: string): string[] {
  return [...text.matchAll(/SCENARIO:([\w-]+)/g)].flatMap((match) => match[1] ?? []);
}

function perform(script: Script, scenario: string, request: MessagesRequest): Written[] {
  const says = script[scenario] ?? [{ text: `No scenario is called ${scenario}.` }];
  // The marker also comes with side requests, such as the one for a title: those offer no tools. What is offered is no
  // list of what can be called: 2.1.325 names some tools later.
  if (request.tools.length === 0) return atOnce("A title");
  return says.map((say) => ({ block: blockOf(say), afterMs: "text" in say ? 0 : (say.afterMs ?? 0) }));
}

const atOnce = (text: string): Written[] => [{ block: { type: "text", text }, afterMs: 0 }];

function blockOf(say: Say): ContentBlock {
  if ("text" in say) return { type: "text", text: say.text };
  return { type: "tool_use", id: say.id ?? freshId(), name: say.tool, input: say.input };
}

function freshId(): string {
  return `toolu_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}
