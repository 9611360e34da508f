import { ERRORS, type ErrorCode } from "../core/error.ts";
import { ADDRESSES } from "./address.ts";
import { MAX_BODY } from "./contract.ts";
import type { Endpoint } from "./endpoint.ts";

const namesAsk = ({ path, query }: Endpoint) =>
  path.includes(":id") || ["ask", "after"].some((name) => query?.shape[name] !== undefined);
const isInput = ({ query, body, method }: Endpoint) => query !== undefined || body !== undefined || method === "POST";
/** Changes the settings file of an agent. */
const setsUp = ({ path }: Endpoint) => path === ADDRESSES.setupAgent.path;
/** Needs a bot that can be used, or an address. */
const pairs = ({ path }: Endpoint) => path === ADDRESSES.notifyPair.path || path === ADDRESSES.phoneCode.path;
/** Is about the browser that sends it. */
const ofBrowser = ({ path }: Endpoint) => path.startsWith(ADDRESSES.pushState.path);
/** Talks to a hub. */
const joins = ({ path }: Endpoint) => path === ADDRESSES.joinHub.path;
/** Names a tmux pane. */
const namesPane = ({ path, method }: Endpoint) => /^\/api\/(panes|servers)\//.test(path) && method === "POST";
/** Looks for the settings file of a project. */
const trusts = ({ path }: Endpoint) => path === ADDRESSES.setTrust.path;
/** Names what a hub has changed, of a hub that was joined. */
const accepts = ({ path }: Endpoint) => path === ADDRESSES.acceptHub.path;
/** Names a row of the ledger of trust. */
const namesTrust = ({ path }: Endpoint) => path === ADDRESSES.withdrawTrust.path;
const settles = ({ path, body }: Endpoint) =>
  body !== undefined && (path.includes(":id") || path === ADDRESSES.answerPane.path);

/** Where each code of the table may come from. What is not here is between the program and its daemon. */
const WHERE: Partial<Record<ErrorCode, (endpoint: Endpoint) => boolean>> = {
  usage: (endpoint) => isInput(endpoint) || namesAsk(endpoint),
  invalid: isInput,
  unauthorized: ({ needs }) => needs !== "none",
  forbidden: () => true,
  self_answer: settles,
  not_found: (endpoint) =>
    [namesAsk, setsUp, namesPane, trusts, namesTrust, ofBrowser, accepts].some((names) => names(endpoint)),
  busy: joins,
  hub_away: joins,
  settings: (endpoint) => setsUp(endpoint) || pairs(endpoint),
  ambiguous: (endpoint) => namesAsk(endpoint) || namesTrust(endpoint),
  already_settled: settles,
  stale_version: (endpoint) => settles(endpoint) || (trusts(endpoint) && endpoint.body !== undefined),
  not_answerable: settles,
  idempotency_mismatch: ({ method }) => method === "POST",
  too_large: ({ body }) => body !== undefined,
  not_written: ({ method }) => method !== "GET",
  internal: () => true,
};

/** One answer for each status an endpoint may refuse with. */
export function errorResponses(endpoint: Endpoint): Record<string, object> {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => WHERE[code]?.(endpoint));
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries([...byStatus].map(([status, all]) => [status, errorResponse(describe(all))]));
}

export function errorResponse(description: string): object {
  return { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } };
}

function describe(codes: readonly ErrorCode[]): string {
  return codes.map((code) => (code === "too_large" ? `${code}: more than ${MAX_BODY} bytes` : code)).join(", ");
}
