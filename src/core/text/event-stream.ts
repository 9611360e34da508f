/** The data of each server-sent event, as JSON; what is none is passed over. Ends with the connection. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    if (rest.length > LONGEST) rest = "";
    for (const block of blocks) {
      const data = block
        .split(/\r?\n/)
        .flatMap((line) => (line.startsWith("data:") ? line.slice(5).trimStart() : []))
        .join("\n");
      const event = parsed(data);
      if (event !== undefined) yield event;
    }
  }
}

/** No event of an agent is so long; who sends one keeps no memory of ours. */
const LONGEST = 16 * 1024 * 1024;

function parsed(data: string): unknown {
  try {
    return data === "" ? undefined : JSON.parse(data);
  } catch {
    return undefined;
  }
}
