// A program with the Vercel AI SDK. Its model is an object of the SDK's own provider interface: it asks, then repeats
// word for word what came back.
import { generateText, isStepCount } from "ai";
import { createDaemonRef } from "parley-inbox";
import { askUserQuestion } from "parley-inbox/ai-sdk";

const [input] = process.argv.slice(2);
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const offered = [];
const model = {
  specificationVersion: "v4",
  provider: "scripted",
  modelId: "scripted",
  supportedUrls: {},
  async doGenerate({ prompt, tools }) {
    offered.push(...tools.map(({ name, inputSchema }) => ({ name, required: inputSchema.required })));
    const last = prompt.at(-1);
    if (last.role !== "tool") {
      const content = [{ type: "tool-call", toolCallId: "call-1", toolName: "ask_user_question", input }];
      return { content, finishReason: { unified: "tool-calls" }, usage, warnings: [] };
    }
    const text = JSON.stringify(last.content.map(({ output }) => output));
    return { content: [{ type: "text", text }], finishReason: { unified: "stop" }, usage, warnings: [] };
  },
};

const tools = { ask_user_question: askUserQuestion(createDaemonRef({ agent: "ai-sdk-host" })) };
const { text, steps } = await generateText({ model, tools, prompt: "Ask.", stopWhen: isStepCount(3) });
const { details } = steps[0].toolResults[0].output;
process.stdout.write(JSON.stringify({ offered: offered[0], received: JSON.parse(text), details }));
