import { describe, expect, test } from "bun:test";
import type { Notify } from "../../src/core/config/config.ts";
import { type Messenger, type Reply, SendError } from "../../src/notify/messenger.ts";
import type { Note } from "../../src/notify/note.ts";
import { eventually } from "../patience.ts";

/** A messenger with somebody at its other end. */
export type MessengerStage = {
  messenger: Messenger;
  config: Notify;
  /** What would have to be set, and is not. */
  unset: Notify;
  note: Note;
  /** What the other end was given, each as text. */
  arrived(): string[];
  /** How many of them can still be answered or look so. */
  answerable(): number;
  /** The other end refuses what comes next: for good reason, for now, or for so many seconds. */
  fail(how: "down" | { retryAfter: number }): void;
  /** The person presses the second option, where that comes back by the messenger itself. */
  press?(): Promise<void> | void;
  replies: Reply[];
  /** What may be in no words of its errors. */
  secrets: readonly string[];
  close(): Promise<void>;
};

/** Each gap with its reason. */
export type Gaps = Partial<Record<"takenBack" | "down" | "retryAfter" | "reply" | "again", string>>;

const DIGEST: Note = {
  ask: "digest-2026-06-15",
  kind: "digest",
  agent: "Parley",
  project: "parley",
  title: "Parley: 2 answers in your place, 1 question waits for you",
  body: "shop: 2 answered\nhttps://laptop.example.net/#/answered",
  questions: [],
  buttons: [],
  digest: {
    words: "2 answers in your place, 1 question waits for you",
    since: 0,
    waiting: 1,
    projects: [{ project: "shop", answered: 2, suggested: 0, left: 0, mismatched: 0, undone: 0 }],
  },
  page: "https://laptop.example.net/#/answered",
  at: 86_400_000,
};

/** What every messenger must do. */
export function messengerContract(name: string, open: () => Promise<MessengerStage>, gaps: Gaps = {}) {
  describe(`the messenger ${name}`, () => {
    const it = (title: string, run: (stage: MessengerStage) => Promise<void>, gap?: string): void => {
      if (gap !== undefined) return test.skip(`${title} (not: ${gap})`, () => undefined);
      test(title, async () => {
        const stage = await open();
        try {
          await run(stage);
        } finally {
          await stage.close();
        }
      });
    };
    const send = ({ messenger, note, config }: MessengerStage, signal = AbortSignal.timeout(60_000)) =>
      messenger.send(note, [], config, signal);
    const failed = async (work: Promise<unknown>): Promise<SendError> => {
      const error = await work.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof SendError)) throw new Error(`no SendError: ${String(error)}`);
      return error;
    };

    it("[MG30] says what to do where it is off, and nothing where it is on", async ({
      messenger,
      config,
      unset,
      note,
    }) => {
      expect(messenger.off(config, note)).toBeUndefined();
      expect(messenger.off(unset, note)).toMatch(/^off; ./);
    });

    it("[MG31] hands over the question word for word, once, and a name for it that outlives the daemon", async (stage) => {
      const { ref, detail } = await send(stage);
      expect(detail).not.toBe("");
      expect(JSON.parse(JSON.stringify(ref))).toEqual(ref);
      expect(stage.arrived().filter((text) => text.includes("Which database?"))).toHaveLength(1);
    });

    it(
      "[MG32] takes it back, or marks it: nothing says any more that it can be answered; twice is as good as once",
      async (stage) => {
        const { ref } = await send(stage);
        const ending = { ask: stage.note.ask, type: "answered", words: "answered", plain: "answered", at: 1 };
        for (let i = 0; i < 2; i++)
          await stage.messenger.withdraw(ref, ending, stage.config, AbortSignal.timeout(60_000));
        await eventually(() => expect(stage.answerable()).toBe(0));
      },
      gaps.takenBack,
    );

    it(
      "[MG33] when the other end fails it says so, that it may be tried again, and no secret",
      async (stage) => {
        stage.fail("down");
        const error = await failed(send(stage));
        expect(error.again).toBe(true);
        for (const secret of stage.secrets) expect(error.message).not.toContain(secret);
      },
      gaps.down,
    );

    it(
      "[MG34] when the service says how long to wait, that is known",
      async (stage) => {
        stage.fail({ retryAfter: 17 });
        expect(await failed(send(stage))).toMatchObject({ again: true, afterMs: 17_000 });
      },
      gaps.retryAfter,
    );

    it("[DK10] a day's digest arrives once, with its numbers and its link, and nothing of it can be answered", async (stage) => {
      const { messenger, config } = stage;
      const { ref } = await messenger.send(DIGEST, [], config, AbortSignal.timeout(60_000));
      expect(JSON.parse(JSON.stringify(ref))).toEqual(ref);
      const found = stage
        .arrived()
        .filter((text) => text.includes("2 answers in your place, 1 question waits for you"));
      expect(found).toHaveLength(1);
      // A push opens the page itself.
      if (messenger.name !== "push") expect(found[0]).toContain("https://laptop.example.net/#/answered");
      // Where there is nothing to press, that is as good.
      await (async () => stage.press?.())().catch(() => undefined);
      expect(stage.replies).toEqual([]);
    });

    it("[MG35] ends when it is told to", async (stage) => {
      const ended = await send(stage, AbortSignal.abort()).then(
        () => "sent",
        () => "ended",
      );
      expect(["sent", "ended"]).toContain(ended);
    });

    it(
      "[MG36] a press comes back as a reply to this Ask, with the option that was pressed",
      async (stage) => {
        await send(stage);
        await stage.press?.();
        await eventually(() => expect(stage.replies).toHaveLength(1));
        expect(stage.replies[0]).toMatchObject({
          ask: stage.note.ask,
          input: { type: "press", question: 0, option: 1 },
        });
      },
      gaps.reply,
    );

    it(
      "[MG37] what is sent again after an attempt that got through is known there as the same one",
      async (stage) => {
        let known = {};
        const progress = (ref: object) => ({ ref: { ...ref }, keep: (next: object) => void (known = next) });
        const signal = AbortSignal.timeout(60_000);
        await stage.messenger.send(stage.note, [], stage.config, signal, progress({}));
        await stage.messenger.send(stage.note, [], stage.config, signal, progress(known));
        expect(new Set(stage.arrived().filter((text) => text.includes("Which database?"))).size).toBe(1);
      },
      gaps.again,
    );
  });
}
