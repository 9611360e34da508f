import { STREAMS } from "../src/protocol/contract.ts";
import { openStream } from "./line.ts";
import type { Stage } from "./stage.ts";

const PATIENCE_MS = 60_000;
type Heard = { seq: number; type: string; ask?: string; session?: string };

/** What a surface is: somebody who hears every event as it happens, and can be asked for one to come. */
export async function subscribe({ address, tokens }: Stage) {
  const wanted = new Map<string, (event: Heard) => void>();
  let rest = "";
  const decoder = new TextDecoder();
  const stream = await openStream(address, STREAMS.sse, tokens().human, (piece) => {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) hear(JSON.parse(line.slice(6)) as Heard);
  });
  function hear(event: Heard): void {
    const name = `${event.type} ${event.session}`;
    wanted.get(name)?.(event);
    wanted.delete(name);
  }
  return {
    /** The next event of this type in this session. Asked for before it can come, so that none is missed. */
    next: (type: string, session: string): Promise<Heard> =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no ${type} of ${session} was heard`)), PATIENCE_MS);
        wanted.set(`${type} ${session}`, (event) => (clearTimeout(late), resolve(event)));
      }),
    close: () => stream.close(),
  };
}
