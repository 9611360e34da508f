/** Why an agent that ended by itself failed, as far as its own words tell. */
export type Trouble = { kind: "rate limit" | "sign-in" | "network" | "other"; until?: number };

const SIGNS: readonly [Trouble["kind"], RegExp][] = [
  ["rate limit", /rate.?limit|usage limit|limit reached|too many requests|overloaded|\b(429|529)\b/i],
  [
    "sign-in",
    /failed to authenticate|invalid api key|invalid authentication|authentication_error|\/login|oauth token|credit balance|\b40[13]\b/i,
  ],
  [
    "network",
    /connection error|unable to connect|fetch failed|socket hang up|timed out|\bE(CONN\w+|NOTFOUND|TIMEDOUT|AI_AGAIN|PIPE)\b|\b50[0234]\b/i,
  ],
];

export function troubleOf(text: string): Trouble {
  const [kind] = SIGNS.find(([, sign]) => sign.test(text)) ?? ["other" as const];
  // `… limit reached|1747250400`: when it ends, in seconds.
  const until = kind === "rate limit" ? /\|(\d{10})\b/.exec(text)?.[1] : undefined;
  return { kind, ...(until !== undefined && { until: Number(until) * 1000 }) };
}
