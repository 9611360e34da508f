import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { clock } from "../../../../core/words/time.ts";
import { pause } from "../../../../machine/time/pause.ts";
import type { Context } from "../../context.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";

const MESSENGERS = ["telegram", "slack"] as const;
const LOOK_MS = 1000;
type Name = (typeof MESSENGERS)[number];
const HOW: Record<Name, (bot: string) => string> = {
  telegram: (bot) => `Send this to @${bot} in Telegram, or open the link on your phone`,
  slack: (bot) => `In Slack press Pair under the message of @${bot} (the link opens the channel) and type this`,
};

export const pair = defineCommand({
  about:
    "Shows a code that pairs one person with Parley: whoever sends it to your bot, or types it into your app's form, may answer questions from there. It works once, for ten minutes. The command waits until it was used.",
  options: { "no-wait": { description: "show the code and end" } },
  positionals: { messenger: { of: MESSENGERS } },
  needs: "Name the messenger: parley notify pair telegram, or: parley notify pair slack",
  notes: "Exit codes: 0 paired, or with --no-wait shown · 1 nobody came with the code",
  async run({ messenger, "no-wait": noWait, json }, { terminal, client }) {
    const name = known(messenger);
    const before = await ids(client);
    const made = await client.call("notifyPair", { body: { messenger: name } });
    const { code, bot, url, expiresAt } = made;
    if (json) terminal.out(jsonLine(made));
    else terminal.out(`${HOW[name](safeLine(bot))}:\n\n  ${safeLine(code)}\n  ${safeLine(url)}\n\n`);
    if (noWait || json) return 0;
    terminal.out(`It works once, until ${clock(expiresAt).slice(11)}. Waiting …\n`);
    for (;;) {
      await pause(LOOK_MS);
      const { pairs: now, expecting } = await client.call("notifyPairs");
      const came = now.find(
        (each) => each.messenger === name && each.at > (before.get(`${each.messenger} ${each.id}`) ?? -1),
      );
      if (came) {
        terminal.out(
          `${terminal.style.green("✓")} Paired with ${safeLine(came.name)}. Prove it: parley notify test ${name}\n`,
        );
        return 0;
      }
      if (!expecting) {
        terminal.err(`Nobody came with the code. Try again: parley notify pair ${name}\n`);
        return 1;
      }
    }
  },
});

export const pairs = defineCommand({
  about: "The people who may answer questions by a messenger.",
  async run({ json }, { terminal, client }) {
    const result = await client.call("notifyPairs");
    if (json) return (terminal.out(jsonLine(result)), 0);
    const lines = result.pairs.map(
      ({ messenger, id, name, at }) =>
        `${safeLine(messenger)}  ${safeLine(name)}  (${safeLine(id)}, since ${clock(at)})`,
    );
    terminal.out(`${lines.length > 0 ? lines.join("\n") : "Nobody. To change that: parley notify pair telegram"}\n`);
    return 0;
  },
});

export const unpair = defineCommand({
  about:
    "Somebody may not answer questions by a messenger any more. By the name or the id that parley notify pairs shows.",
  positionals: { messenger: { of: MESSENGERS }, who: {} },
  needs: "Name the messenger and who: parley notify unpair telegram Ann",
  async run({ messenger, who, json }, { terminal, client }) {
    const result = await client.call("notifyUnpair", { body: { messenger: known(messenger), who } });
    if (result.removed.length === 0 && !json)
      throw new ParleyError("not_found", `Nobody called "${safeLine(who)}" is paired. See: parley notify pairs`);
    const names = result.removed.map((name) => safeLine(name)).join(", ");
    terminal.out(json ? jsonLine(result) : `✓ ${names} may not answer by ${messenger} any more\n`);
    return 0;
  },
});

async function ids(client: Context["client"]): Promise<Map<string, number>> {
  const { pairs: known } = await client.call("notifyPairs");
  return new Map(known.map(({ messenger, id, at }) => [`${messenger} ${id}`, at]));
}

function known(messenger: string): Name {
  const found = MESSENGERS.find((name) => name === messenger);
  if (found) return found;
  throw new ParleyError("usage", `Expected ${MESSENGERS.join(" or ")}, not "${safeLine(messenger)}"`);
}
