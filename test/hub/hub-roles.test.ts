import { expect, setDefaultTimeout, test } from "bun:test";
import { createRouteAdmin } from "../../src/hub/admin/route-admin.ts";
import { HUB_DOORS, HUB_PATHS } from "../../src/protocol/hub/hub-address.ts";
import { TEST_MS } from "../patience.ts";
import { HIDDEN, type Inside, openInside } from "./hub-inside.ts";

setDefaultTimeout(TEST_MS);
const YES = { action: "answer", answers: [{ picks: [0] }] };
type Headers = Record<string, string>;

/** Whoever is somebody, wherever they have a role: what is in it is of their projects. */
const ALWAYS = ["list", "list for somebody", "news", "here", "rules", "list tasks"];
/** Work lets an agent do something: whoever may approve gives it, and takes back their own. */
const OF_TASKS = ["give task", "take task back"];
const SEES = [...ALWAYS, "get", "look", "get task"];
/** What each role may do with what is of its project: everything that is not here is refused. */
const MAY: Record<string, readonly string[]> = {
  viewer: [...SEES],
  answerer: [...SEES, "answer question", "claim question"],
  approver: [...SEES, "answer question", "claim question", "answer approval", "claim approval", ...OF_TASKS],
  admin: [...SEES, "answer question", "claim question", "answer approval", "claim approval", ...OF_TASKS],
};
/** Each about itself: what is pressed there is an answer like any other. */
const OF_BROWSERS = ["push state", "push to", "push reply"];
/** For all projects, not for one. */
const OF_ADMINS = ["invite", "end another's session", "change rules"];

async function actions(inside: Inside, headers: Headers, project: string): Promise<Record<string, Response>> {
  const { hub, post, ask } = inside;
  const [question, approval] = [await ask("question", project), await ask("approval", project)];
  const get = (path: string) => fetch(`${hub.url}${path}`, { headers });
  const act = (id: string, what: string, body: object) => post(`/api/asks/${id}/${what}`, body, headers);
  const other = await inside.headersOf(
    (await inside.register(await inside.invite(`Other ${question}`, "viewer"))).entered,
  );
  const { session } = (await (await fetch(`${hub.url}${HUB_DOORS.here}`, { headers: other })).json()) as {
    session: string;
  };
  const gives = await post("/api/tasks", { machine: "laptop", project, prompt: `${HIDDEN} ${question}` }, headers);
  const { id: task = await taskOf(inside, project) } = (await gives.clone().json()) as { id?: string };
  return {
    "give task": gives,
    "list tasks": await get("/api/tasks"),
    "get task": await get(`/api/tasks/${task}`),
    "take task back": await post(`/api/tasks/${task}/take-back`, {}, headers),
    list: await get("/api/asks"),
    "list for somebody": await get("/api/asks?for=Routed&machine=laptop"),
    look: await post("/api/looking", { tab: "t", ask: question }, headers),
    "push state": await get("/api/push"),
    "push to": await post("/api/push", { subscription: null }, headers),
    "push reply": await post("/api/push/reply", { message: "none", option: 0 }, headers),
    get: await get(`/api/asks/${question}`),
    news: await post("/api/news", {}, headers),
    here: await get(HUB_DOORS.here),
    "claim question": await act(question, "claim", {}),
    "claim approval": await act(approval, "claim", {}),
    "answer question": await act(question, "answer", YES),
    "answer approval": await act(approval, "answer", YES),
    rules: await get(HUB_PATHS.rules),
    "change rules": await post(HUB_PATHS.rules, { change: "set-group", name: "ops", members: ["Routed"] }, headers),
    invite: await post(HUB_DOORS.invite, { name: `New ${question}`, role: "admin" }, headers),
    "end another's session": await post(HUB_DOORS.end, { id: session }, headers),
  };
}

/** Somebody else's, on its way. */
async function taskOf({ post, token }: Inside, project: string): Promise<string> {
  const who = crypto.randomUUID();
  const prompt = `${HIDDEN} ${who}`;
  const headers = await token(`Giver ${who}`, "approver", null);
  return ((await (await post("/api/tasks", { machine: "laptop", project, prompt }, headers)).json()) as { id: string })
    .id;
}

test("[HP3] every role, project and action, by token and by passkey: what is not theirs is refused without a trace of it", async () => {
  await using inside = await openInside();
  await inside.headersOf((await inside.register(await inside.first(), "Ann")).entered);
  await inside.token("Routed", "admin", null);
  const [machine] = await inside.records.machines();
  await inside.records.takeOffers(machine?.link ?? "", ["site"], Date.now());
  const admin = createRouteAdmin(inside.records, () => Date.now());
  await admin.setRoute({ stakes: false, to: ["Routed"], ms: 3_600_000 });
  for (const role of Object.keys(MAY))
    for (const project of [null, "site", "other"])
      for (const by of ["token", "passkey"]) {
        const name = `${role} ${project} ${by}`;
        const headers =
          by === "token"
            ? await inside.token(name, role, project)
            : await inside.headersOf(
                (await inside.register(await inside.invite(name, role, project ?? undefined))).entered,
              );
        const found = await actions(inside, headers, "site");
        const isHere = project !== "other";
        const expected = [
          ...(isHere ? (MAY[role] ?? []) : ALWAYS),
          ...(by === "passkey" ? OF_BROWSERS : []),
          ...(role === "admin" && project === null ? OF_ADMINS : []),
        ];
        const texts = new Map(
          await Promise.all(Object.entries(found).map(async ([what, reply]) => [what, await reply.text()] as const)),
        );
        const allowed = Object.keys(found).filter((what) => found[what]?.ok);
        expect([name, allowed.toSorted()]).toEqual([name, expected.toSorted()]);
        for (const [what, text] of texts)
          if (!isHere || !allowed.includes(what))
            expect([name, what, text.includes(HIDDEN)]).toEqual([name, what, false]);
        for (const what of Object.keys(found).filter((each) => !allowed.includes(each)))
          expect([401, 403, 404]).toContain(found[what]?.status ?? 0);
      }
  // Nobody at all: neither an invented token, nor a cookie without its page, nor the page without its cookie.
  const whole = await inside.headersOf((await inside.register(await inside.invite("Eve", "admin"))).entered);
  const [{ cookie = "" }, key] = [whole, { "x-parley-page": whole["x-parley-page"] ?? "" }];
  for (const headers of [{ authorization: "Bearer nobody" }, { cookie }, key, {}] as Headers[])
    for (const reply of Object.values(await actions(inside, headers, "site")))
      expect([reply.status, (await reply.text()).includes(HIDDEN)]).toEqual([401, false]);
});

test("[HP4] a link is good once and a challenge too; who was revoked or signed out does nothing more, also in a race", async () => {
  await using inside = await openInside();
  const { post, records, hub } = inside;
  const [one, two] = [await inside.first(), await inside.first()];
  const ann = await inside.register(one, "Ann");
  const headers = await inside.headersOf(ann.entered);
  expect(ann.entered.headers.get("set-cookie")).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  // Another first one, and the same link again.
  for (const link of [one, two])
    expect((await post(HUB_DOORS.invited, { code: link.split("invite=")[1] })).status).toBe(401);
  expect(await inside.first()).toBe("");

  const options = (await (await post(HUB_DOORS.loginOptions, {})).json()) as Record<string, unknown>;
  const response = ann.device.get(options);
  const logins = await Promise.all([1, 2, 3].map(() => post(HUB_DOORS.login, { response })));
  expect(logins.map(({ status }) => String(status)).toSorted()).toEqual(["200", "401", "401"]);
  const forged = { ...options, challenge: Buffer.alloc(38, 7).toString("base64url") };
  expect((await post(HUB_DOORS.login, { response: ann.device.get(forged) })).status).toBe(401);
  const elsewhere = { "content-type": "application/json", origin: "https://evil.example" };
  expect((await post(HUB_DOORS.leave, {}, { ...headers, ...elsewhere })).status).toBe(403);

  // Revoked while they answer: either it counted before, or it never does.
  for (let round = 0; round < 12; round++) {
    const bob = await inside.headersOf((await inside.register(await inside.invite(`Bob ${round}`, "admin"))).entered);
    const here = (await (await fetch(`${hub.url}${HUB_DOORS.here}`, { headers: bob })).json()) as {
      member: { id: string };
      session: string;
    };
    const id = await inside.ask("question");
    const ends = round % 2 === 0;
    const [reply] = await Promise.all([
      post(`/api/asks/${id}/answer`, YES, bob),
      ends
        ? records.endSession({ id: here.session, by: "host" }, Date.now())
        : records.revoke(here.member.id, Date.now()),
    ]);
    const [ask] = await records.asksLike(id, null);
    expect([reply.ok, ask?.intent !== undefined]).toEqual([reply.ok, reply.ok]);
    const late = await post(`/api/asks/${await inside.ask("question")}/answer`, YES, bob);
    expect(late.status).toBe(401);
  }
  expect((await post(HUB_DOORS.leave, {}, headers)).status).toBe(200);
  expect((await fetch(`${hub.url}/api/asks`, { headers })).status).toBe(401);
});

test("[HP5] somebody is on it: seen by all, handed to who may, gone by itself, with the answer and with its member", async () => {
  await using inside = await openInside(undefined, 600_000);
  const { post, hub, records } = inside;
  const [ann, bob] = [await inside.token("Ann", "approver", null), await inside.token("Bob", "approver", null)];
  const vic = await inside.token("Vic", "viewer", null);
  const id = await inside.ask("approval");
  const claim = async (who: Headers, what = "claim", body: object = {}) =>
    (await post(`/api/asks/${id}/${what}`, body, who)).status;
  const seen = async () =>
    ((await (await fetch(`${hub.url}/api/asks/${id}`, { headers: vic })).json()) as { claim?: { member: string } })
      .claim;
  const { cursor } = (await (await post("/api/news", {}, vic)).json()) as { cursor: string };
  const told = post("/api/news", { cursor }, vic);
  expect(await claim(vic)).toBe(403);
  expect(await claim(ann)).toBe(200);
  expect(await (await told).json()).toMatchObject({ asks: [{ id, claim: { member: "Ann" } }] });
  expect([await claim(bob), await claim(bob, "release"), (await seen())?.member]).toEqual([409, 200, "Ann"]);
  expect(await claim(ann, "claim", { to: "Vic" })).toBe(404);
  expect([await claim(ann, "claim", { to: "Bob" }), await seen()]).toEqual([
    200,
    expect.objectContaining({ member: "Bob", by: "Ann" }),
  ]);
  expect([await claim(bob, "release"), await seen()]).toEqual([200, undefined]);
  // It ends by itself.
  await records.claim(
    { machine: inside.machine.id, ask: id, token: digestOfToken(ann), until: Date.now() },
    () => true,
    Date.now() - 1000,
  );
  expect([await seen(), await claim(bob)]).toEqual([undefined, 200]);
  // It hinders nobody, and ends with the answer.
  expect((await post(`/api/asks/${id}/answer`, YES, ann)).status).toBe(200);
  expect([await seen(), await claim(ann)]).toEqual([undefined, 409]);
});

const digestOfToken = ({ authorization = "" }: Headers): string =>
  new Bun.CryptoHasher("sha256").update(authorization.replace("Bearer ", "")).digest("hex");

test("[HP13] a browser that somebody answers with was seen then, to within five minutes", async () => {
  const clock = { at: Date.now() };
  await using inside = await openInside(undefined, 600_000, undefined, { now: () => clock.at });
  const { records, post, register, headersOf } = inside;
  const ann = await headersOf((await register(await inside.first(), "Ann")).entered);
  const began = clock.at;
  const answered = async (afterMs: number) => {
    const id = await inside.ask("question");
    clock.at += afterMs;
    expect((await post(`/api/asks/${id}/answer`, YES, ann)).status).toBe(200);
    return (await records.sessions(clock.at)).map(({ seenAt }) => seenAt - began);
  };
  expect(await answered(60_000)).toEqual([0]);
  expect(await answered(300_000)).toEqual([360_000]);
  expect(await answered(60_000)).toEqual([360_000]);
  // Used so, it stays signed in.
  expect(await answered(20 * 86_400_000)).toHaveLength(1);
  expect(await answered(20 * 86_400_000)).toHaveLength(1);
});
