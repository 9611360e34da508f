export function isRecommended(label: string, flag?: unknown): boolean {
  return flag === true || /\(recommended\)\s*$/i.test(label);
}
