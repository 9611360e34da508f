/** Pieces of a name with a star between any two; a star stands for any characters. Linear: models write the text. */
export function fitsStars(pieces: readonly string[], text: string): boolean {
  const [head = "", ...others] = pieces;
  const tail = others.pop();
  if (tail === undefined) return text === head;
  if (!text.startsWith(head) || text.length < head.length + tail.length || !text.endsWith(tail)) return false;
  const end = text.length - tail.length;
  let at = head.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
