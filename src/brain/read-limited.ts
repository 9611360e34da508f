import { BrainError } from "./brain.ts";

/** All of a stream as text. One that says very much costs no memory: it is a failure. */
export async function readLimited(stream: AsyncIterable<Uint8Array>, most: number, who: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > most) throw new BrainError("junk", `${who} said more than ${most} bytes`);
  }
  return Buffer.concat(chunks).toString("utf8");
}
