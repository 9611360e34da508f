import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectHub } from "./hub-client.ts";

test("[HP8] a reply that was cut off in the middle is asked for again, with the same key", async () => {
  const keys: string[] = [];
  const cut = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"tasks":';
  const whole = "HTTP/1.1 409 Conflict\r\nconnection: close\r\ncontent-length: 58\r\n\r\n";
  const refusal = JSON.stringify({ error: { code: "already_settled", message: "Bob was first" } });
  using server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, data) {
        const key = /idempotency-key: (\S+)/i.exec(String(data))?.[1];
        if (key === undefined) return;
        keys.push(key);
        socket.write(keys.length < 3 ? cut : whole.replace("58", String(refusal.length)) + refusal);
        socket.flush();
        if (keys.length < 3) socket.end();
      },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "parley-hub-client-"));
  try {
    writeFileSync(join(folder, "token"), "pt_token");
    const hub = await connectHub({
      PARLEY_HUB: `http://127.0.0.1:${server.port}`,
      PARLEY_HUB_TOKEN_FILE: join(folder, "token"),
    });
    const taken = hub.answer("abc", { action: "answer", answers: [{ picks: [0] }], version: 1 });
    expect(await taken.catch((error: Error) => error.message)).toBe("Bob was first");
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
