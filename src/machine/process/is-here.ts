/** A server on this machine; what it names in paths lies here. Without one it is a process of its own. */
export function isHere(server: string | undefined): boolean {
  const host = server === undefined ? "localhost" : (URL.parse(server)?.hostname ?? "");
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}
