/** Why a phone that opens this address gets no notifications; undefined: it can. Browsers start no service worker elsewhere. */
export function refusedForPhone(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return "expected an address such as https://laptop.example.net";
  const { hostname, protocol } = url;
  const isBare = url.origin === address.replace(/\/$/, "");
  if (isBare && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)) return undefined;
  if (/^\[|^[\d.]+$/.test(hostname))
    return `${hostname} is no name: phones trust certificates for names only, and without one there is no service worker, so no notifications`;
  if (!isBare) return "expected an address without a path, a name or a password";
  if (protocol === "http:")
    return "over plain http a browser starts no service worker, so no notifications: the address must begin with https://";
  return undefined;
}
