import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent } from "../../src/agents/agent.ts";
import { planSetup } from "../../src/agents/capability/set-up.ts";
import { replaceFile } from "../../src/machine/file/atomic-file.ts";

/** What an agent may do beyond having a name. */
const CAPABILITIES = ["hooks", "record", "remote", "headless", "screens", "install", "doctor", "lab"] as const;
type Capability = (typeof CAPABILITIES)[number];
/** `events`: real ones of its connection; `gaps`: what it cannot do, and why. */
type Options = { events?: readonly unknown[]; gaps: Partial<Record<Capability, string>> };

const odd = fc.oneof(fc.anything(), fc.json(), fc.string());
const RUNS = { numRuns: 200 };
/** What an agent cannot do is said once, in its gaps. */
const when = (can: boolean): typeof test => (can ? test : Object.assign(() => undefined));

/** What every agent must do, as far as it says that it can. */
export function agentContract(agent: Agent, { events = [], gaps }: Options): void {
  describe(agent.name, () => {
    test("[AG1] has a name for programs and one for people, and says what it cannot do and why", () => {
      expect(agent.name).toMatch(/^[a-z][a-z0-9-]{1,30}$/);
      expect([agent.title, agent.program].every((name) => name.trim() !== "")).toBe(true);
      expect(agent.sessionIn({})).toBeUndefined();
      const missing = CAPABILITIES.filter((name) => agent[name] === undefined);
      expect(Object.keys(gaps).toSorted()).toEqual(missing.toSorted());
      for (const reason of Object.values(gaps)) expect(reason.length).toBeGreaterThan(10);
      // Without one of them nothing that it asks would ever reach a person.
      expect(agent.hooks ?? agent.remote ?? agent.screens).toBeDefined();
    });

    when(agent.hooks !== undefined)("[AG2] whatever its hooks send is read or passed over", () => {
      fc.assert(
        fc.property(odd, (payload) => void agent.hooks?.read(payload)),
        RUNS,
      );
    });

    when(agent.remote !== undefined)("[AG3] whatever its connection says is read or passed over", () => {
      const { remote } = agent;
      fc.assert(
        fc.property(odd, odd, (event, call) => void remote?.read(event, call)),
        RUNS,
      );
      for (const { read } of remote?.pending ?? [])
        fc.assert(
          fc.property(odd, (body) => void read(body)),
          RUNS,
        );
    });

    when(events.length > 0)(
      "[AG4] what it asked names its session, its call and its dialog, and can be answered",
      () => {
        const asked = events.flatMap((event) => agent.remote?.read(event) ?? []).filter(({ type }) => type === "asked");
        expect(asked.length).toBeGreaterThan(0);
        for (const each of asked) {
          if (each.type !== "asked") continue;
          expect([each.session.id, each.key, each.request].every((name) => name !== "")).toBe(true);
          expect(each.questions.length).toBeGreaterThan(0);
        }
      },
    );

    when(agent.record !== undefined)("[AG5] a record that is not there, or is none, is an empty one", async () => {
      const folder = mkdtempSync(join(tmpdir(), "parley-agent-"));
      try {
        writeFileSync(join(folder, "junk"), Buffer.from([0, 255, 10, 123, 0, 10]));
        for (const path of [join(folder, "missing"), join(folder, "junk"), folder]) {
          const place = agent.remote?.recordOf(path, "s") ?? path;
          const record = agent.record?.open(place);
          await record?.refresh();
          expect([record?.received("k", []), record?.results("k"), record?.unanswered()]).toEqual([undefined, 0, []]);
          expect(await agent.record?.before(place, "k")).toBeUndefined();
          expect(await agent.record?.versionOf(place)).toBeUndefined();
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    when(agent.install !== undefined)(
      "[AG6] set-up changes nothing a second time, and is removed to the byte",
      async () => {
        const home = mkdtempSync(join(tmpdir(), "parley-agent-"));
        const at = { env: { HOME: home }, cwd: home };
        const program = join(home, "parley/bin/parley");
        const install = await agent.install?.();
        if (!install) return;
        try {
          const first = await planSetup(install, { at, program });
          expect([first.changed, first.before, first.path.startsWith(home)]).toEqual([true, undefined, true]);
          await replaceFile(first.path, first.before, first.after);
          expect((await planSetup(install, { at, program })).changed).toBe(false);
          const removal = await planSetup(install, { at, program, remove: true });
          expect([removal.changed, removal.after]).toEqual([true, undefined]);
          await replaceFile(removal.path, removal.before, removal.after);
          expect((await planSetup(install, { at, program, remove: true })).changed).toBe(false);
        } finally {
          rmSync(home, { recursive: true });
        }
      },
    );

    when(agent.headless !== undefined)("[AG7] whatever a headless run prints is read or passed over", () => {
      fc.assert(
        fc.property(fc.oneof(fc.string(), fc.json()), (line) => void agent.headless?.readStream(line)),
        RUNS,
      );
    });

    when(agent.doctor !== undefined)("[AG8] its doctor looks at an empty home without a word of a crash", async () => {
      const home = mkdtempSync(join(tmpdir(), "parley-agent-"));
      try {
        const look = await agent.doctor?.();
        const found = await look?.({ env: { HOME: home, PATH: "" }, cwd: home, program: join(home, "bin/parley") });
        expect(found?.isSetUp).toBe(false);
      } finally {
        rmSync(home, { recursive: true });
      }
    });
  });
}
