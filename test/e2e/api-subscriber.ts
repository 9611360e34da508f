// A reader of live events in a process of its own, so that a test can stop it: prints each sequence number on a line.
// argv: sse|websocket, url, after; the token comes in the environment.
import { writeSync } from "node:fs";
import { STREAMS } from "../../src/protocol/contract.ts";

const [kind, url = "", after = "0"] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env["TOKEN"]}` };
if (kind === "sse") {
  const response = await fetch(`${url}${STREAMS.sse}?after=${after}`, { headers });
  let rest = "";
  for await (const chunk of response.body ?? []) {
    const lines = (rest + Buffer.from(chunk).toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("id: ")) writeSync(1, `${line.slice(4)}\n`);
  }
} else {
  const socket = new WebSocket(`${url.replace("http", "ws")}${STREAMS.websocket}?after=${after}`, { headers });
  socket.addEventListener("message", ({ data }) =>
    writeSync(1, `${(JSON.parse(String(data)) as { seq: number }).seq}\n`),
  );
}
