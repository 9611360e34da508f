import { z } from "zod";
import type { RemoteReply } from "../../capability/remote.ts";
import type { ServiceItem } from "../../capability/service.ts";
import { CallPart, Form, Message, Permission, Session } from "./payload.ts";
import { inFolder, isOwned } from "./request.ts";
import { safelyParse } from "../../../core/safely-parse.ts";

type Get = (path: string) => Promise<RemoteReply>;
const Active = z.looseObject({ data: z.record(z.string(), z.unknown()) });
const Listed = z.looseObject({ data: z.array(z.unknown()) });
const Loaded = z.array(z.looseObject({ directory: z.string().min(1) })).catch([]);

/**
 * What waits in the sessions that run now. It keeps that by folder, and a folder that nobody works in is loaded, with all
 * its servers, by asking for it: so only those are asked for that it has loaded already.
 */
export async function open(get: Get): Promise<ServiceItem[]> {
  const active = await get("/api/session/active");
  const running = safelyParse(Active, active.body).data?.data;
  if (active.status !== 200 || !running) throw new Error(`it does not say which sessions run (${active.status})`);
  const inSessions = await Promise.all(Object.keys(running).map((session) => ofSession(get, session)));
  const loaded = Loaded.parse((await get("/api/debug/location")).body);
  const inFolders = await Promise.all(loaded.map(({ directory }) => ofFolder(get, directory)));
  return [...inSessions, ...inFolders].flat();
}

async function ofSession(get: Get, session: string): Promise<ServiceItem[]> {
  const path = `/api/session/${encodeURIComponent(session.toWellFormed())}`;
  const info = safelyParse(Session, ((await get(path)).body as { data?: unknown } | null)?.data).data;
  const directory = info?.location?.directory ?? info?.directory;
  const item = (type: string, data: unknown, call?: unknown): ServiceItem => ({
    event: { type, ...(directory !== undefined && { location: { directory } }), data },
    ...(call !== undefined && { call }),
  });
  const [forms, questions, permissions] = await Promise.all(
    ["form", "question", "permission"].map((kind) => list(get, `${path}/${kind}`)),
  );
  const asked = (permissions ?? []).map(async (data) => item("permission.asked", data, await callOf(get, path, data)));
  return [
    // A subagent's belong to the session above it.
    ...(info?.parentID === undefined ? [] : [item("session.created", { info })]),
    ...(forms ?? []).map((form) => item("form.created", { form })),
    ...(questions ?? []).map((data) => item("question.asked", data)),
    ...(await Promise.all(asked)),
  ];
}

/** Forms that no session owns. */
async function ofFolder(get: Get, directory: string): Promise<ServiceItem[]> {
  const forms = await list(get, `/api/form/request?${inFolder(directory)}`);
  return forms
    .filter((form) => !isOwned(safelyParse(Form, form).data?.sessionID ?? ""))
    .map((form) => ({ event: { type: "form.created", location: { directory }, data: { form } } }));
}

async function callOf(get: Get, session: string, permission: unknown): Promise<unknown> {
  const { messageID, callID } = safelyParse(Permission, permission).data?.source ?? {};
  if (messageID === undefined) return undefined;
  const { body } = await get(`${session}/message/${encodeURIComponent(messageID.toWellFormed())}`);
  const content = safelyParse(Message, (body as { data?: unknown } | null)?.data).data?.content ?? [];
  const call = content.map((part) => safelyParse(CallPart, part).data).find((part) => part?.id === callID);
  return call && { tool: call.name, input: call.state.input };
}

/** A version without that kind has none of it. */
async function list(get: Get, path: string): Promise<unknown[]> {
  const { status, body } = await get(path);
  if (status === 404) return [];
  const found = safelyParse(Listed, body).data?.data;
  if (status !== 200 || !found) throw new Error(`it does not say what is open at ${path} (${status})`);
  return found;
}
