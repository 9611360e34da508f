import type { Log } from "../../machine/log.ts";
import type { ToldTrust } from "../../core/hub-trust.ts";
import { FromMachine, type FromHub, LINK_ENDS, LARGEST_MESSAGE } from "../../protocol/hub/hub.ts";
import { readLine } from "../../protocol/hub/read-line.ts";
import type { HubHalf } from "../../store/hub/halves.ts";
import type { HubIntent, HubRecords } from "../../store/hub/records.ts";
import type { AskedBack } from "../../store/hub/take-back.ts";
import { createBeats } from "./beats.ts";
import type { LinkData } from "./line.ts";
import { addTo, copyOf, forget, hasRoom, hold, isAddressable, over } from "./told.ts";
import { safelyParse } from "../../core/safely-parse.ts";

const LOOK_MS = 1000;
const IDLE_SECONDS = 120;
const GOODBYE = 1000;
/** A job whose machine was not heard for so long has ended without a word. */
const JOB_SILENT_MS = 10 * 60_000;
const JOBS_MS = 60_000;

const WHY = {
  revoked: "this machine may not connect any more",
  replaced: "the machine came again",
  wrong: "this is not what a machine says",
} as const;

type Socket = Bun.ServerWebSocket<LinkData>;
type Deps = { records: HubRecords; now: () => number; log: Log; trust: () => Promise<ToldTrust> };
export type Links = ReturnType<typeof createLinks>;

/** The machines that are connected to this very hub. */
export function createLinks({ records, now, log, trust }: Deps) {
  const sockets = new Map<string, Socket>();
  const ends = new Map<string, number>();
  const say = (socket: Socket, message: FromHub) => void socket.send(JSON.stringify(message));
  let [looking, again] = [false, false];
  let latest: { at: number; trust: Promise<ToldTrust> } | undefined;
  // Notifications only wake; where they get lost, or are not known, this is how long it takes.
  const timer = setInterval(() => void look(), LOOK_MS);
  const jobs = setInterval(() => void endSilentJobs(), JOBS_MS);
  const beats = createBeats<Socket>({
    linkOf: ({ data }) => data.link,
    keep: (lines) => records.beats(lines, now()),
    done: (socket, counts) => inTurn(socket, () => (counts ? sayBeat(socket) : endOf(socket))),
    failed: (socket, error) => inTurn(socket, () => Promise.reject(error)),
  });
  const leave = records.onTold((machine) => {
    if (machine === undefined || sockets.has(machine)) void look();
  });

  /** Whoever says what no machine says is named: who reads the log may want to revoke it. */
  function endLine(socket: Socket, how: keyof typeof LINK_ENDS, why: string = WHY[how]): void {
    const { machine, address } = socket.data;
    over(socket.data);
    ends.set(how, (ends.get(how) ?? 0) + 1);
    if (how === "wrong") log("warn", "a machine misbehaves", { machine, from: address, why });
    socket.close(LINK_ENDS[how], why);
  }

  async function welcome(socket: Socket): Promise<void> {
    const { token, link, free } = socket.data;
    const machine = await records.connect(token, link, now());
    free();
    if (!machine) {
      socket.data.isNobody = true;
      return endLine(socket, "revoked");
    }
    const earlier = sockets.get(machine.id);
    if (earlier) endLine(earlier, "replaced");
    socket.data.machine = machine.id;
    sockets.set(machine.id, socket);
    log("info", "machine connected", { machine: machine.id, name: machine.name, from: socket.data.address });
    say(socket, { type: "welcome", after: machine.logRead, gives: ["tasks"], ...(await newTrust(socket)) });
    await tell(socket, machine.intents);
  }

  /** Whose signatures there are and what is demanded, where this line has not heard it yet. */
  async function newTrust({ data }: Socket, may = false): Promise<{ trust?: ToldTrust }> {
    // Many lines beat: they may hear what was read a moment ago.
    if (!may || !latest || now() - latest.at > LOOK_MS) latest = { at: now(), trust: trust() };
    const told = await latest.trust;
    const text = JSON.stringify(told);
    if (data.trust === text) return {};
    data.trust = text;
    return { trust: told };
  }

  /** `made`: how many intents its machine has, as far as is known here. */
  async function tell(socket: Socket, made: number): Promise<void> {
    const { machine, told, canWithdraw } = socket.data;
    if (machine === undefined) return;
    const back = canWithdraw ? (await records.takeBacks()).filter((each) => each.machine === machine) : [];
    const nothing = { intents: [], halves: [], upTo: told };
    const { intents, halves, upTo } = made > told ? await records.unsettled(machine, told) : nothing;
    const news = halves.some(({ signed }) => signed !== null) ? await newTrust(socket) : {};
    if (news.trust) say(socket, { type: "beat", ...news });
    for (const intent of intents)
      // It may have got it on an earlier line; if it has not, it shall not get it now.
      tellOne(socket, intent, {
        isAskedBack: back.some(({ n }) => n === intent.n),
        halves: halves.filter(({ n }) => n === intent.n),
      });
    socket.data.told = Math.max(socket.data.told, upTo);
    for (const each of back)
      if (each.ask !== null) askBack(socket, each, { type: "withdraw", n: each.n, ask: each.ask });
    await tellTasks(socket, made, back);
  }

  async function tellTasks(socket: Socket, made: number, back: readonly AskedBack[]): Promise<void> {
    const { machine, tasks: told } = socket.data;
    if (machine === undefined || told === undefined) return;
    const { tasks, upTo } = made > told ? await records.unsettledTasks(machine, told) : { tasks: [], upTo: told };
    for (const { id, n, project, prompt, title, member, name, second, secondName, at } of tasks) {
      if (n <= (socket.data.tasks ?? 0)) continue;
      socket.data.tasks = n;
      // It may have got it on an earlier line; if it has not, it shall not get it now.
      if (back.some((each) => each.task === id) || socket.data.asked.has(n)) continue;
      const named = title === null ? {} : { name: title };
      const others = second === null ? {} : { others: [{ id: second, name: secondName ?? "" }] };
      say(socket, { type: "task", id, project, prompt, ...named, member: { id: member, name }, ...others, at });
    }
    socket.data.tasks = Math.max(socket.data.tasks ?? 0, upTo);
    for (const each of back) if (each.task !== null) askBack(socket, each, { type: "withdraw-task", id: each.task });
  }

  /** `halves`: what stands behind it, where two were needed or a signature. */
  function tellOne(socket: Socket, intent: HubIntent, by: { isAskedBack: boolean; halves: readonly HubHalf[] }): void {
    const { n, ask, member, name, at, settlement } = intent;
    if (n <= socket.data.told) return;
    socket.data.told = n;
    if (by.isAskedBack || socket.data.asked.has(n)) return;
    const others = by.halves
      .filter((half) => half.member !== member)
      .map((half) => ({ id: half.member, name: half.name }));
    const signed = by.halves.flatMap((half) =>
      half.signed ? { member: half.member, response: half.signed.response as Record<string, unknown> } : [],
    );
    const whom = {
      member: { id: member, name },
      ...(others.length > 0 && { others }),
      ...(signed.length > 0 && { signed }),
    };
    say(socket, { type: "intent", n, ask, at, ...whom, settlement: settlement as never });
  }

  function askBack(socket: Socket, { n }: AskedBack, message: FromHub): void {
    if (socket.data.asked.has(n)) return;
    socket.data.asked.add(n);
    say(socket, message);
  }

  async function take(socket: Socket, text: string | Buffer): Promise<void> {
    const message = safelyParse(FromMachine, readLine(text));
    if (!message.success) return endLine(socket, "wrong", "this is not what a machine says");
    const { data } = message;
    const { link } = socket.data;
    if (data.type === "asks" && !data.asks.every(isAddressable))
      return endLine(socket, "wrong", "this is no Ask of a machine");
    if (data.type === "beat") return beats.add(socket);
    if (!(await keep(link, data))) return endOf(socket);
    if (data.type === "offers") {
      socket.data.tasks ??= 0;
      await tell(socket, Infinity);
    }
    if (data.type === "asks") say(socket, { type: "taken" });
  }

  const sayBeat = async (socket: Socket): Promise<void> =>
    say(socket, { type: "beat", ...(await newTrust(socket, true)) });

  /** False: this connection does not count any more. */
  function keep(link: string, data: Exclude<FromMachine, { type: "beat" }>): Promise<boolean> {
    const { detail = null, reason } = data as { detail?: string; reason?: string };
    if (data.type === "asks") return records.takeAsks(link, data.asks.map(copyOf), data.upTo ?? null, now());
    if (data.type === "receipt")
      return records.takeReceipt(link, { n: data.n, state: data.state, detail, reason }, now());
    if (data.type === "offers") return records.takeOffers(link, data.projects, now());
    const { id, state, task = null } = data;
    return records.takeTaskReceipt(link, { id, state, task, detail }, now());
  }

  /** It was revoked, or has a newer connection, here or at another hub. */
  async function endOf(socket: Socket): Promise<void> {
    const machine = (await records.machines()).find(({ id }) => id === socket.data.machine);
    endLine(socket, machine?.revokedAt === null ? "replaced" : "revoked");
  }

  /** What came to other hubs: intents, and that somebody was revoked. */
  async function look(): Promise<void> {
    if (looking) again = true;
    if (looking || sockets.size === 0) return;
    looking = true;
    try {
      // Those that come meanwhile are looked at next: what was read does not know their lines yet.
      const here = new Map(sockets);
      const [asked, machines] = await Promise.all([records.takeBacks(), records.machineLines()]);
      const back = new Set(asked.map(({ machine }) => machine));
      for (const { id, link, intents } of machines) {
        const socket = here.get(id);
        if (!socket || sockets.get(id) !== socket) continue;
        if (socket.data.link !== link) await endOf(socket);
        else if (intents > Math.min(socket.data.told, socket.data.tasks ?? Infinity) || back.has(id))
          await tell(socket, intents);
      }
    } catch (error) {
      log("warn", "cannot look for what is new", { error: String(error) });
    } finally {
      looking = false;
    }
    if (!again) return;
    again = false;
    await look();
  }

  async function endSilentJobs(): Promise<void> {
    await records
      .endJobs({ silentSince: now() - JOB_SILENT_MS }, now())
      .catch((error: unknown) => log("warn", "jobs are not ended yet", { error: String(error) }));
  }

  /** One after the other. What cannot be done ends the line: the machine comes again and says it once more, with all that came behind it. */
  function inTurn(socket: Socket, work: () => Promise<void>, { evenOver = false, bytes = 0 } = {}): void {
    const { data } = socket;
    if (data.isOver && !evenOver) return;
    if (!evenOver && !hasRoom(data.load, bytes, data.machine !== undefined))
      return endLine(socket, "wrong", "too much at once");
    const handled = addTo(data.load, bytes);
    data.turn = data.turn
      .then(() => (data.isOver && !evenOver ? undefined : work()))
      .catch((error: unknown) => {
        over(data);
        log("warn", "a link ended", { machine: data.machine, error: String(error) });
        socket.close(1011, "come again");
      })
      .finally(handled);
  }

  const heard = (socket: Socket, text: string | Buffer) => hold(socket.data.load, text, (said) => take(socket, said));
  const handlers: Bun.WebSocketHandler<LinkData> = {
    maxPayloadLength: LARGEST_MESSAGE,
    idleTimeout: IDLE_SECONDS,
    open: (socket) => inTurn(socket, () => welcome(socket)),
    message: (socket, text) => inTurn(socket, heard(socket, text), { bytes: text.length }),
    close(socket, code) {
      const { machine, link, load, free } = socket.data;
      if (machine === undefined) forget(load);
      if (machine !== undefined && sockets.get(machine) === socket) sockets.delete(machine);
      const leaves = async () => {
        try {
          if (socket.data.isNobody) return;
          // The machine of a job that says goodbye does not come again.
          if (code === GOODBYE) await records.endJobs({ link }, now());
          await records.disconnect(link, now());
        } finally {
          // Whatever it has made the database do is done.
          free();
        }
      };
      inTurn(socket, leaves, { evenOver: true });
    },
  };

  return {
    handlers,
    isHere: (machine: string): boolean => sockets.has(machine),
    /**
     * Somebody answered: its machine is told, if it is connected here. `made`: with this, which nobody else stands behind, and
     * it is noted that it may have it.
     */
    async wake(machine: string, made?: HubIntent): Promise<void> {
      const socket = sockets.get(machine);
      if (!socket) return;
      if (made && made.state === "sent" && made.n === socket.data.told + 1)
        return tellOne(socket, made, { isAskedBack: false, halves: [] });
      await tell(socket, Infinity).catch((error: unknown) => log("warn", "not told yet", { error: String(error) }));
    },
    count: () => sockets.size,
    /** Why lines were ended from here, and how often. */
    ends: (): ReadonlyMap<string, number> => ends,
    async stop(): Promise<void> {
      clearInterval(timer);
      clearInterval(jobs);
      beats.stop();
      leave();
      const closing = [...sockets.values()].map(async (socket) => {
        socket.close(1001, "the hub ends; come again");
        await socket.data.turn;
        await records.disconnect(socket.data.link, now());
      });
      await Promise.allSettled(closing);
    },
  };
}
