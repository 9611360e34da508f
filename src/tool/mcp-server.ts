import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { duration } from "../core/words/time.ts";
import { type AskUserQuestionDetails, AskUserQuestionError } from "./error.ts";
import type { ShowDialog } from "./dialog-ref.ts";
import { elicitIn } from "./elicit.ts";
import { ASK_USER_QUESTION_TOOL_NAME, type JsonSchema } from "./schema.ts";
import { type AskUserQuestionRef, createAskUserQuestionTool } from "./tool.ts";

export type McpServerOptions = {
  version?: string;
  /** How often a client that waits is told that somebody still has to answer. */
  progressMs?: number;
  /** Hears with every call what the client calls itself. */
  onClient?: (name: string) => void;
  /** Asks in a form of the client's as well, where it has such: whoever answers first wins. */
  alsoIn?: (show: ShowDialog) => AskUserQuestionRef;
};
type ToolResult = {
  content: { type: "text"; text: string }[];
  isError?: true;
  structuredContent: AskUserQuestionDetails & { text: string };
};

/** Clients give up after a minute without a sign (the protocol's own library), Claude Code 2.1.325 after half an hour. */
const PROGRESS_MS = 10_000;

/** The tool for every client of the Model Context Protocol, over whatever transport it is connected to. */
export function createAskUserQuestionServer(
  ref: AskUserQuestionRef,
  { version = "0", progressMs = PROGRESS_MS, onClient, alsoIn }: McpServerOptions = {},
): Server {
  const tool = createAskUserQuestionTool(ref);
  const server = new Server({ name: "parley", title: "Parley", version }, { capabilities: { tools: {} } });

  server.setRequestHandler("tools/list", () => ({
    tools: [
      {
        name: tool.name,
        title: "Ask the user",
        description: tool.description,
        inputSchema: tool.parameters,
        outputSchema: OUTPUT,
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
    ],
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    if (params.name !== ASK_USER_QUESTION_TOOL_NAME)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}"`);
    const client = clientName(context) ?? server.getClientVersion()?.name;
    if (client !== undefined) onClient?.(client);
    const stop = reportProgress(context, progressMs);
    // A client of the protocol of 2026 takes no requests of a server's; it says nothing when it connects.
    const hasForms = server.getClientCapabilities()?.elicitation !== undefined && context.mcpReq.envelope === undefined;
    const asking = alsoIn && hasForms ? createAskUserQuestionTool(alsoIn(elicitIn(context.mcpReq.elicitInput))) : tool;
    try {
      const { content, details } = await asking.execute(
        String(context.mcpReq.id),
        params.arguments,
        context.mcpReq.signal,
      );
      return result(content, details);
    } catch (error) {
      return failed(error);
    } finally {
      stop();
    }
  });
  return server;
}

/** Since the protocol of 2026 a client says with every request who it is, before that once. */
function clientName({ mcpReq }: ServerContext): string | undefined {
  const envelope: Record<string, unknown> = mcpReq.envelope ?? {};
  return (envelope[CLIENT_INFO_META_KEY] as { name?: string } | undefined)?.name;
}

/** Claude Code shows its model the structured content alone, so the text stands there too. */
function result(content: ToolResult["content"], details: AskUserQuestionDetails): ToolResult {
  const text = content.map((block) => block.text).join("\n\n");
  return { content, structuredContent: { ...details, text } };
}

/** Without a sign of life a client takes a long wait for a dead server. */
function reportProgress({ mcpReq }: ServerContext, everyMs: number): () => void {
  const { _meta: { progressToken } = {} } = mcpReq;
  if (progressToken === undefined) return () => {};
  const since = performance.now();
  let progress = 0;
  const report = () => {
    const message = `Waiting for the user to answer (${duration(performance.now() - since)})`;
    const params = { progressToken, progress: ++progress, message };
    // A client that has gone hears nothing; the call itself notices.
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
  const timer = setInterval(report, everyMs);
  report();
  return () => clearInterval(timer);
}

function failed(error: unknown): ToolResult {
  const known = error instanceof AskUserQuestionError ? error : new AskUserQuestionError("aborted", String(error));
  return { ...result([{ type: "text", text: known.message }], known.details), isError: true };
}

const OUTPUT = z.toJSONSchema(
  z.object({
    text: z.string().describe("All of it in words"),
    outcome: z.enum(["answered", "cancelled", "declined", "aborted", "expired", "invalid"]),
    answers: z.record(z.string(), z.string()).describe("By header: labels joined with commas, own words after Other:"),
    lossless: z
      .array(
        z.object({
          header: z.string(),
          question: z.string(),
          picks: z.array(z.number().int()).describe("Indices of the chosen options"),
          labels: z.array(z.string()),
          text: z.string().optional().describe("The user's own words"),
          note: z.string().optional(),
        }),
      )
      .describe("The same with every part apart"),
    message: z.string().optional(),
    problems: z.array(z.looseObject({ field: z.string(), message: z.string() })).optional(),
  }),
) as JsonSchema;
