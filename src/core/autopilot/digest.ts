/** Short and always the same; two that collide are told apart by their full text later. */
export function digest(text: string): string {
  return [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f].map((seed) => hash(text, seed)).join("");
}

function hash(text: string, seed: number): string {
  let value = seed;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x5bd1e995) ^ (value >>> 13);
  return (value >>> 0).toString(16).padStart(8, "0");
}
