import type { HubAskView, HubOrder, HubSettlementInput, HubTaskView } from "../../../../protocol/hub/hub.ts";
import { HUB_DOORS, HUB_PATHS } from "../../../../protocol/hub/hub-address.ts";
import type { HubHere, Invited, News } from "../../../../protocol/hub/hub-page.ts";
import type { HubRules, RuleChange } from "../../../../protocol/hub/hub-rules.ts";
import { send } from "../api.ts";
import { keepPageKey, type PageKey } from "../page-key.ts";
import { createPasskey, usePasskey } from "./passkey.ts";

/** Longer than the hub holds such a request. */
const HELD_MS = 60_000;
const AWAY = "Can't reach the hub. It may be starting again; your answer was not sent.";
/** `places`: where whoever is signed in here may give work. */
export type Given = { tasks: HubTaskView[]; places: Place[] };
/** `needs`: what the hub's policies demand of work there. */
export type Place = { machine: HubTaskView["machine"]; project: string; needs?: { two: boolean; signed: boolean } };
type Open = { asks: HubAskView[]; next?: string };
type Entered = PageKey & { member: { id: string; name: string } };

const post = async <T>(
  path: string,
  body: object,
  more: { once?: string; patience?: number; signal?: AbortSignal } = {},
) => (await send("POST", path, { body, away: AWAY, ...more })) as T;
const get = async <T>(path: string) => (await send("GET", path, { away: AWAY })) as T;
const ofAsk = (id: string, act = "") => `${HUB_PATHS.asks}/${encodeURIComponent(id)}${act}`;

/** What the page asks of a hub. Contract: throws an `ApiError` with the hub's own words. */
export const hub = {
  here: () => get<HubHere>(HUB_DOORS.here),
  open: (limit: number, after?: string) =>
    get<Open>(`${HUB_PATHS.asks}?state=open&limit=${limit}${after === undefined ? "" : `&after=${after}`}`),
  mine: (limit: number) => get<Open>(`${HUB_PATHS.asks}?state=open&for=me&limit=${limit}`),
  /** What this tab shows; null: nothing any more. */
  looking: (tab: string, ask: string | null, keepalive = false) =>
    send("POST", HUB_PATHS.looking, { body: { tab, ask }, away: AWAY, keepalive }),
  latest: (limit: number) => get<Open>(`${HUB_PATHS.asks}?state=all&limit=${limit}`),
  ask: (id: string) => get<HubAskView>(ofAsk(id)),
  answer: (id: string, body: HubSettlementInput & { signature?: object }, once: string) =>
    post<HubAskView>(ofAsk(id, "/answer"), body, { once }),
  claim: (id: string, to?: string) => post<HubAskView>(ofAsk(id, "/claim"), to === undefined ? {} : { to }),
  takeBack: (id: string) => post<HubAskView>(ofAsk(id, "/take-back"), {}),
  tasks: () => get<Given>(HUB_PATHS.tasks),
  giveTask: (order: HubOrder, once: string) => post<HubTaskView>(HUB_PATHS.tasks, order, { once }),
  agreeToTask: (id: string) => post<HubTaskView>(`${HUB_PATHS.tasks}/${id}/agree`, {}),
  takeTaskBack: (id: string) => post<HubTaskView>(`${HUB_PATHS.tasks}/${id}/take-back`, {}),
  release: (id: string) => post<HubAskView>(ofAsk(id, "/release"), {}),
  news: (cursor: string | undefined, signal: AbortSignal) =>
    post<News>(HUB_PATHS.news, cursor === undefined ? {} : { cursor }, { patience: HELD_MS, signal }),
  invited: (code: string) => post<Invited>(HUB_DOORS.invited, { code }),
  invite: (wish: { name: string; role: string; project: string }) =>
    post<{ link: string; expiresAt: number }>(HUB_DOORS.invite, wish),
  rules: () => get<HubRules>(HUB_PATHS.rules),
  /** Contract: what is agreed on afterwards. */
  changeRules: (change: RuleChange) => post<HubRules>(HUB_PATHS.rules, change),
  endBrowser: (id: string) => post<object>(HUB_DOORS.end, { id }),
  endToken: (id: string) => post<object>(HUB_DOORS.endToken, { id }),
  async register(code: string, name: string): Promise<void> {
    const options = await post<object>(HUB_DOORS.registerOptions, { code, name });
    keep(await post<Entered>(HUB_DOORS.register, { code, name, response: await createPasskey(options) }));
  },
  async login(): Promise<void> {
    const response = await usePasskey(await post<object>(HUB_DOORS.loginOptions, {}));
    keep(await post<Entered>(HUB_DOORS.login, { response }));
  },
  leave: () => post<object>(HUB_DOORS.leave, {}).finally(() => keepPageKey(undefined)),
};

const keep = ({ key, previews }: Entered) => keepPageKey({ key, previews });
