/** Takes the framing off an HTTP body that comes in chunks; pieces may be cut anywhere. */
export function createDechunker(heard: (content: Buffer) => void): (piece: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isInBody = false;
  let left = 0;
  return (piece) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    while (rest.length > 0) {
      if (left > 0) {
        const content = rest.subarray(0, left);
        [rest, left] = [rest.subarray(content.length), left - content.length];
        heard(content);
        continue;
      }
      const end = rest.indexOf(isInBody ? "\r\n" : "\r\n\r\n");
      if (end < 0) return;
      // Behind a chunk stands an empty line, before one its length.
      if (isInBody && end > 0) left = Number.parseInt(rest.toString("latin1", 0, end), 16);
      rest = rest.subarray(end + (isInBody ? 2 : 4));
      isInBody = true;
    }
  };
}
