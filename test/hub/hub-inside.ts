import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestOf } from "../../src/hub/digest.ts";
import { startHub } from "../../src/hub/hub.ts";
import { firstLink, inviteLink } from "../../src/hub/invite.ts";
import type { Proxies } from "../../src/hub/proxy.ts";
import type { Log } from "../../src/machine/log.ts";
import { HUB_DOORS } from "../../src/protocol/hub/hub-address.ts";
import type { PageFiles } from "../../src/protocol/page-file.ts";
import { PAGE_KEY } from "../../src/protocol/page-key.ts";
import { createHubRecords } from "../../src/store/hub/records.ts";
import type { HubDatabase } from "../../src/store/hub/schema.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { softPasskey } from "./soft-passkey.ts";

const LINK = "a-link-of-this-test";
export const HIDDEN = "only-for-those-who-may-see-it";
type Own = { now?: () => number; push?: { text: boolean; anywhere: boolean }; proxies?: Proxies; log?: Log };
export type Inside = Awaited<ReturnType<typeof openInside>>;

/** A hub in this process over its real HTTP, with one machine that tells what a test says. */
export async function openInside(
  database?: HubDatabase,
  claimMs = 600_000,
  files: PageFiles = async () => new Map(),
  { now = () => Date.now(), push, proxies, log = () => undefined }: Own = {},
) {
  const dir = mkdtempSync(join(tmpdir(), "parley-inside-"));
  const file = join(dir, "hub.db");
  const records = createHubRecords(database ?? openHubSqlite(file));
  /** One more beside it, over the same records. */
  const another = (own: HubDatabase = openHubSqlite(file)) =>
    startHub({
      records: createHubRecords(own),
      listen: { host: "127.0.0.1", port: 0 },
      version: "0",
      now,
      log: () => undefined,
      files,
      claimMs,
      push,
    });
  const hub = startHub({
    records,
    listen: { host: "127.0.0.1", port: 0 },
    version: "0",
    now,
    log,
    files,
    claimMs,
    push,
    ...(proxies && { proxies }),
  });
  const origin = hub.page ?? "";
  const machine = { id: "mmmmmmmmmmmm", name: "laptop", token: digestOf("machine"), projects: ["/site"] };
  await records.addCode(digestOf("code"), now() + 600_000, now());
  await records.join(digestOf("code"), machine, now());
  await records.connect(machine.token, LINK, now());
  let made = 0;

  async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const all = { "content-type": "application/json", ...headers };
    return fetch(`${hub.url}${path}`, { method: "POST", headers: all, body: JSON.stringify(body) });
  }

  /** What a browser sends once it is signed in. */
  async function headersOf(entered: Response): Promise<Record<string, string>> {
    if (!entered.ok) throw new Error(await entered.text());
    const { key } = (await entered.json()) as { key: string };
    return { cookie: entered.headers.get("set-cookie")?.split(";")[0] ?? "", [PAGE_KEY.header]: key };
  }

  async function register(link: string, name = "") {
    const code = link.split("invite=")[1] ?? "";
    const device = softPasskey(origin);
    const options = await (await post(HUB_DOORS.registerOptions, { code, name })).json();
    const response = device.create(options as Record<string, unknown>);
    return { device, entered: await post(HUB_DOORS.register, { code, name, response }) };
  }

  return {
    records,
    hub,
    another,
    origin,
    machine,
    post,
    register,
    headersOf,
    first: async () => (await firstLink(records, origin, now())) ?? "",
    invite: async (name: string, role: string, project?: string) =>
      (await inviteLink(records, origin, { name, role, project }, now(), 60_000)).link,
    login: async (device: ReturnType<typeof softPasskey>) => {
      const options = await (await post(HUB_DOORS.loginOptions, {})).json();
      return post(HUB_DOORS.login, { response: device.get(options as Record<string, unknown>) });
    },
    async token(name: string, role: string, project: string | null): Promise<Record<string, string>> {
      const token = crypto.randomUUID();
      const id = digestOf(name).slice(0, 12);
      await records.addToken({ hash: digestOf(token), id, name, role, project, expiresAt: null }, now());
      return { authorization: `Bearer ${token}` };
    },
    /** What the machine tells: a question or an approval that is open. */
    async ask(kind: string, project = "site", count = 1, text = `${HIDDEN} $id?`): Promise<string> {
      const options = [
        { label: "Yes", description: "" },
        { label: "No", description: "" },
      ];
      const asks = Array.from({ length: count }, () => {
        const id = `a${String(++made).padStart(11, "0")}`;
        const questions = [
          {
            text: text.replace("$id", id),
            header: /colour/.test(text) ? "Colour" : "Deploy",
            multiSelect: false,
            options,
          },
        ];
        const origin = { agent: "script", project };
        const more = {
          agentTitle: "a script",
          sentence: "",
          deliveries: [{ state: "waiting", channel: "api" }],
          createdAt: now() - 1000 + (made % 1000),
        };
        const view = { id, version: 1, kind, state: "open", origin, questions, ...more };
        return { id, version: 1, state: "open", project, createdAt: more.createdAt, view };
      });
      for (let at = 0; at < count; at += 200)
        if (!(await records.takeAsks(LINK, asks.slice(at, at + 200), null, now()))) throw new Error("the link is gone");
      return asks[0]?.id ?? "";
    },
    /** It was settled there: by itself, or somebody at the machine. */
    async settle(id: string): Promise<void> {
      const [found] = await records.asksLike(id, null);
      const view = { ...found?.view, version: 9, state: "closed", outcome: { type: "expired" } };
      const project = "site";
      const copy = { id, version: 9, state: "closed", project, createdAt: now(), view };
      if (!(await records.takeAsks(LINK, [copy], null, now()))) throw new Error("the link is gone");
    },
    async [Symbol.asyncDispose]() {
      await hub.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
