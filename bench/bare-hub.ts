// The least a hub can do: a WebSocket whose message is committed before it is answered. `bun bench/bare-hub.ts <database URL>`.
import postgres from "postgres";

const sql = postgres(process.argv[2] ?? "", { max: 1, onnotice: () => undefined });
await sql`CREATE TABLE IF NOT EXISTS bare (id text PRIMARY KEY, data text NOT NULL)`;
let turn: Promise<unknown> = Promise.resolve();
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request, self) => (self.upgrade(request, { data: undefined }) ? undefined : new Response("no")),
  websocket: {
    message(socket, text) {
      turn = turn.then(async () => {
        await sql.begin((say) => say`INSERT INTO bare (id, data) VALUES (${crypto.randomUUID()}, ${String(text)})`);
        socket.send("taken");
      });
    },
  },
});
console.log(String(server.port));
