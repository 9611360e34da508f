import { readFile } from "node:fs/promises";
import { ERRORS, type ErrorCode, ParleyError } from "../core/error.ts";
import { hubAway, hubUrl } from "../machine/hub-url.ts";
import { HUB_DOORS } from "../protocol/hub/hub-address.ts";
import {
  HUB_PATHS,
  HubAsks,
  HubAskView,
  HubMember,
  HubNews,
  type HubOrder,
  type HubSettlementInput,
  HubTasks,
  HubTaskView,
} from "../protocol/hub/hub.ts";
import { ErrorBody } from "../protocol/view.ts";

const PATIENCE_MS = 60_000;
/** A hub holds the request for news for twenty seconds; after this nobody is on the line any more. */
const HELD_MS = 30_000;
/** Lost on the way is said again, with the same key. */
const ATTEMPTS = 3;
/** The most that a hub tells at once. */
const PAGE = 500;
type Env = Record<string, string | undefined>;
/** By names. `for`: of whom it is asked; `me`: whoever asks this. */
export type Chosen = { project?: string | undefined; for?: string | undefined; machine?: string | undefined };
type Query = Chosen & { state: "open" | "all"; limit?: number | undefined; after?: string | undefined };
export type HubClient = Awaited<ReturnType<typeof connectHub>>;

/** The hub a person answers through, as `PARLEY_HUB` and `PARLEY_HUB_TOKEN_FILE` say. */
export async function connectHub(env: Env) {
  const typed = env["PARLEY_HUB"];
  if (!typed)
    throw new ParleyError(
      "usage",
      "Which hub? Set PARLEY_HUB to its address, and PARLEY_HUB_TOKEN_FILE to a file with your token",
    );
  const url = hubUrl(typed, env["PARLEY_HUB_PLAIN_HTTP"] === "1");
  const token = await tokenIn(env);
  const caFile = env["PARLEY_HUB_CA_FILE"];
  const ca = caFile ? await readText(caFile, "certificates") : undefined;

  async function call(method: "GET" | "POST", path: string, body?: object, held?: AbortSignal): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { "content-type": "application/json", "idempotency-key": crypto.randomUUID() }),
    };
    for (let attempt = 1; ; attempt++) {
      const signal = held ? AbortSignal.any([held, AbortSignal.timeout(HELD_MS)]) : AbortSignal.timeout(PATIENCE_MS);
      const request = {
        method,
        headers,
        signal,
        redirect: "error" as const,
        ...(ca !== undefined && { tls: { ca } }),
        ...(body && { body: JSON.stringify(body) }),
      };
      const reply = await whole(`${url}${path}`, request).catch((cause: unknown) => {
        if (attempt < ATTEMPTS && !held) return undefined;
        throw hubAway(url, cause);
      });
      if (reply) return read(reply);
    }
  }

  function read({ response, text }: Reply): unknown {
    const said = jsonIn(text);
    if (response.ok) return said;
    const parsed = ErrorBody.safeParse(said);
    if (!parsed.success) throw new ParleyError("hub_away", `What answers at ${url} is no hub (${response.status})`);
    const { code, message, problems, details } = parsed.data.error;
    const known = (code in ERRORS ? code : "internal") as ErrorCode;
    throw new ParleyError(known, message, { problems: problems as ParleyError["problems"], details });
  }

  function shaped<T>(schema: { safeParse(value: unknown): { success: boolean; data?: T } }, said: unknown): T {
    const { data } = schema.safeParse(said);
    if (data !== undefined) return data;
    throw new ParleyError("other_version", "The hub answers in a form this Parley cannot read");
  }

  /** One page of them; `next`: where those that are open go on. */
  async function page({ limit = PAGE, ...query }: Query) {
    const search = new URLSearchParams({ state: query.state, limit: String(limit) });
    for (const name of ["project", "for", "machine", "after"] as const)
      if (query[name] !== undefined) search.set(name, query[name]);
    return shaped(HubAsks, await call("GET", `${HUB_PATHS.asks}?${search}`));
  }

  return {
    url,
    page,
    /** Without a limit all that is open, page by page; of what is over the newest. */
    async asks(query: Omit<Query, "after">) {
      const found: HubAskView[] = [];
      for (let after: string | undefined; ;) {
        const { asks, next } = await page({ ...query, after });
        found.push(...asks);
        if (query.limit !== undefined || next === undefined || next === after) return found;
        after = next;
      }
    },
    /** What happened since the cursor, once there is something or after a while; without one at once. Asked once: whoever follows asks again. */
    news: async (cursor: string | undefined, signal: AbortSignal): Promise<HubNews> =>
      shaped(HubNews, await call("POST", HUB_PATHS.news, cursor === undefined ? {} : { cursor }, signal)),
    /** Whose token this is. */
    async me(): Promise<HubMember> {
      const said = (await call("GET", HUB_DOORS.here)) as { member?: unknown } | undefined;
      return shaped(HubMember, said?.member);
    },
    /** What somebody has before them; undefined: nothing any more. `tab`: which of their windows. */
    looking: async (tab: string, ask: string | undefined): Promise<void> =>
      void (await call("POST", HUB_PATHS.looking, { tab, ask: ask ?? null })),
    async ask(typedId: string): Promise<HubAskView> {
      const id = typedId.trim().toLowerCase();
      if (!/^[a-z0-9]+$/.test(id)) throw new ParleyError("not_found", `No question "${typedId}" in this hub`);
      return shaped(HubAskView, await call("GET", `${HUB_PATHS.asks}/${id}`));
    },
    /** Those of these that there are, whatever became of them. */
    asksNamed: async (ids: readonly string[]): Promise<HubAskView[]> =>
      shaped(HubAsks, await call("POST", HUB_PATHS.asks, { ids })).asks,
    claim: async (id: string, to?: string): Promise<HubAskView> =>
      shaped(HubAskView, await call("POST", `${HUB_PATHS.asks}/${id}/claim`, to === undefined ? {} : { to })),
    release: async (id: string): Promise<HubAskView> =>
      shaped(HubAskView, await call("POST", `${HUB_PATHS.asks}/${id}/release`, {})),
    answer: async (id: string, settlement: HubSettlementInput): Promise<HubAskView> =>
      shaped(HubAskView, await call("POST", `${HUB_PATHS.asks}/${id}/answer`, settlement)),
    takeBack: async (id: string): Promise<HubAskView> =>
      shaped(HubAskView, await call("POST", `${HUB_PATHS.asks}/${id}/take-back`, {})),
    tasks: async () => shaped(HubTasks, await call("GET", HUB_PATHS.tasks)),
    async task(typedId: string): Promise<HubTaskView> {
      const id = typedId.trim().toLowerCase();
      if (!/^[a-z0-9]+$/.test(id)) throw new ParleyError("not_found", `No task "${typedId}" in this hub`);
      return shaped(HubTaskView, await call("GET", `${HUB_PATHS.tasks}/${id}`));
    },
    giveTask: async (order: HubOrder): Promise<HubTaskView> =>
      shaped(HubTaskView, await call("POST", HUB_PATHS.tasks, order)),
    agreeToTask: async (id: string): Promise<HubTaskView> =>
      shaped(HubTaskView, await call("POST", `${HUB_PATHS.tasks}/${id}/agree`, {})),
    takeTaskBack: async (id: string): Promise<HubTaskView> =>
      shaped(HubTaskView, await call("POST", `${HUB_PATHS.tasks}/${id}/take-back`, {})),
  };
}

type Reply = { response: Response; text: string };

/** Contract: rejects also where the line broke in the middle of the reply. */
async function whole(url: string, request: RequestInit): Promise<Reply> {
  const response = await fetch(url, request);
  return { response, text: await response.text() };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function tokenIn(env: Env): Promise<string> {
  const file = env["PARLEY_HUB_TOKEN_FILE"];
  if (!file)
    throw new ParleyError("usage", "Set PARLEY_HUB_TOKEN_FILE to a file with your token: parley hub token makes one");
  const token = (await readText(file, "token")).trim();
  if (token === "") throw new ParleyError("usage", `There is no token in ${file}: parley hub token makes one`);
  // Anything else cannot be sent: it would look as if nobody answered.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new ParleyError("usage", `What is in ${file} is not a token alone`);
  return token;
}

async function readText(file: string, what: string): Promise<string> {
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw new ParleyError("usage", `The ${what} in ${file} cannot be read`, { cause });
  });
}
