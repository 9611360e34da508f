import { expect } from "bun:test";
import type { Intent } from "../../src/keys/drive/intent.ts";
import type { KeysPane } from "../../src/keys/pane.ts";
import { SHAPES } from "./keys-shapes.ts";
import { openKeysStage, play, stored } from "./keys-stage.ts";
import { eachVersion, question, VERSIONS } from "./stage.ts";

/** As many dialogs as one agent answers well within a test's time on a busy machine. */
const AT_ONCE = 9;
const approach = question("Which approach should we use?", ["Option A", "Option B", "Option C"], {
  header: "Approach",
});
const third: Intent = { type: "answers", answers: [{ picks: [2] }] };

eachVersion("Keys", ({ version, it, rest }) => {
  // Each with one version in turn, but with none that is known to leave old characters on its screen: that takes its
  // minute each time. `npm run soak -- keys` plays each with both.
  const mine = Object.entries(SHAPES).filter(([, { mayStop }], i) => {
    const good = VERSIONS.filter((one) => !mayStop?.[one]);
    return good[i % good.length] === version;
  });
  const bySize = Object.groupBy(mine, ([, { size }]) => size.join("×"));
  for (const [size, shapes = []] of Object.entries(bySize))
    for (let from = 0; from < shapes.length; from += AT_ONCE)
      it(`[KY21] each shape is answered right, or cleanly refused where that is known: ${size}, from ${from + 1}`, async () => {
        const some = shapes.slice(from, from + AT_ONCE);
        const [first] = some;
        if (!first) throw new Error("no shape");
        await using stage = await openKeysStage(version, first[1].size);
        for (const [name, shape] of some) {
          let { kind, detail } = await play(stage, shape, version);
          // A frame that a busy machine draws by halves for long stops it: that is clean, and is tried again.
          for (let tries = 1; kind === "stopped" && tries < 3; tries++)
            ({ kind, detail } = await play(stage, shape, version));
          const isFine = kind === "right" || (kind === "refused" && (shape.refused ?? shape.mayStop)?.[version]);
          expect([name, isFine ? "" : `${kind}: ${detail}`]).toEqual([name, ""]);
        }
      });

  it("[KY22] a person who presses a key in between ends it: the agent receives nothing, the dialog stays", async () => {
    await using stage = await openKeysStage(version, [100, 40]);
    await stage.asks([approach]);
    const pressed: string[] = [];
    const disturbed: KeysPane = {
      ...stage.pane,
      async key(name) {
        pressed.push(name);
        await stage.pane.key(name);
        // Each is drawn before the driver looks again: how long that takes is not what is tried here.
        await stage.claude.tmux.waitFor(/^❯ *2\./m);
        await stage.claude.tmux.keys("Down");
        await stage.claude.tmux.waitFor(/^❯ *3\./m);
      },
    };
    const result = await stage.answer({ questions: stored([approach]), intent: third, pane: disturbed });
    expect([result.type, pressed.includes("Enter")]).toEqual(["stopped", false]);
    expect(stage.model.toolResults()).toEqual([]);
    await stage.claude.tmux.waitFor(/Chat about this/);
  });

  rest(
    "[KY23] without its dialog on the screen no key is pressed: the input box, another question, a shell",
    async () => {
      await using stage = await openKeysStage(version, [100, 40]);
      const { tmux } = stage.claude;
      const asked = { questions: stored([approach]), intent: third };
      expect(await stage.answer(asked)).toMatchObject({
        keys: 0,
        where: "The question (Approach): it is not on the screen",
      });
      await stage.asks([question("Which database?", ["SQLite", "Postgres", "MySQL"], { header: "Database" })]);
      expect(await stage.answer(asked)).toMatchObject({ keys: 0, where: expect.stringContaining("another question") });
      await tmux.open({
        command: ["sh"],
        env: { PATH: process.env["PATH"] ?? "", PS1: "❯ " },
        cwd: stage.claude.project,
      });
      await tmux.waitFor(/❯/);
      const shell = await stage.at(tmux.address());
      expect(await stage.answer({ ...asked, pane: shell })).toMatchObject({
        keys: 0,
        where: expect.stringContaining("no dialog"),
      });
    },
  );
});
