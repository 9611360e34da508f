import { expect, test } from "bun:test";
import { join } from "node:path";
import { ANSWER, DOORS, question } from "./api-request.ts";
import { createProgram } from "./program.ts";

test("[FI2] who waits for an answer on a silent line keeps it, on the socket as on the port", async () => {
  const program = createProgram();
  try {
    await program.start();
    // The same server without a word about its time, asked after them: it ends a silent request, and by then it would have ended ours.
    const unix = join(program.root, "beside");
    // Its types have it for ports only.
    const patience: object = { idleTimeout: 16 };
    using _ = Bun.serve({ unix, ...patience, fetch: () => Promise.withResolvers<Response>().promise });
    const asks = await Promise.all(
      DOORS.map(() => program.client("agent").call("createAsk", { body: { questions: [question()] } })),
    );
    const token = program.tokens().agent;
    // On lines of their own: a request on one that was used before is sent again without a word when the line is cut.
    const waiting = asks.map(({ id }, i) =>
      fetch(`${DOORS[i] === "socket" ? "http://parley" : program.url()}/api/asks/${id}/answer?wait=60000`, {
        headers: { authorization: `Bearer ${token}` },
        keepalive: false,
        ...(DOORS[i] === "socket" && { unix: program.paths.socket }),
      }).catch(String),
    );
    await fetch("http://localhost/", { unix }).catch(() => undefined);
    for (const { id } of asks)
      await program.client().call("settleAsk", { id, body: { action: "answer", answers: ANSWER } });
    expect(await Promise.all(waiting)).toMatchObject(DOORS.map(() => ({ status: 200 })));
  } finally {
    await program.dispose();
  }
});
