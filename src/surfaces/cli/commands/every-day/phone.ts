import { refusedForPhone } from "../../../../core/config/phone-address.ts";
import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { clock } from "../../../../core/words/time.ts";
import { pause } from "../../../../machine/time/pause.ts";
import { isLightTerminal, qrLines } from "../../../terminal/qr.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { jsonLine } from "../../json.ts";
import { setOwn } from "../upkeep/config-set.ts";

const LOOK_MS = 1000;

export const command = defineCommand({
  usage: ["[<address>] [options]", "<command> [options]"],
  about:
    "Pairs a phone with the page: shows a QR code that signs it in, once, within ten minutes, and waits until it was used. The phone can then be told about questions while its browser is closed, and answer them.",
  options: {
    name: { value: "NAME", description: "what the phone is called here; else what its browser calls itself" },
    "no-wait": { description: "show the code and end" },
    invert: { description: "for a terminal with a light background" },
  },
  positionals: { address: { optional: true } },
  subcommands: [
    { name: "list", summary: "the phones that are paired", load: async () => ({ command: list }) },
    { name: "revoke", summary: "one of them may not come in any more", load: async () => ({ command: revoke }) },
  ],
  needs: "At most one address: parley phone https://laptop.example.ts.net",
  examples: [["parley phone https://laptop.tail1234.ts.net", "keeps the address, as web.address"]],
  notes: "Exit codes: 0 paired, or with --no-wait shown · 1 nobody came with the code",
  async run({ address, name, "no-wait": noWait, invert, json }, context) {
    const { terminal, client } = context;
    if (address !== undefined) await keepAddress(address, context);
    const before = new Set((await client.call("listPhones")).phones.map(({ id }) => id));
    const made = await client.call("phoneCode", { body: { ...(name !== undefined && { name }) } });
    if (json) terminal.out(jsonLine(made));
    else terminal.out(words(made, invert !== isLightTerminal(terminal.env), terminal));
    if (noWait || json) return 0;
    return wait(before, context);
  },
});

const list = defineCommand({
  about: "The phones that are paired with the page, and whether they take pushes.",
  async run({ json }, { terminal, client }) {
    const result = await client.call("listPhones");
    if (json) return (terminal.out(jsonLine(result)), 0);
    const lines = result.phones.map(({ name, push, createdAt, seenAt }) => {
      const takes = push ? "takes pushes" : "no pushes yet: Settings → Push in its page";
      return `${safeLine(name)}  (${takes}; paired ${clock(createdAt)}, last here ${clock(seenAt)})`;
    });
    terminal.out(`${lines.length > 0 ? lines.join("\n") : "None. To change that: parley phone"}\n`);
    return 0;
  },
});

const revoke = defineCommand({
  about: "Signs a phone out at once: it neither sees nor answers anything any more, and nothing is pushed to it.",
  positionals: { phone: {} },
  needs: "Which one? parley phone revoke <name>; see: parley phone list",
  async run({ phone, json }, { terminal, client }) {
    const result = await client.call("endPhone", { body: { phone } });
    if (result.revoked.length === 0 && !json)
      throw new ParleyError("not_found", `No phone called "${safeLine(phone)}" is paired. See: parley phone list`);
    const names = result.revoked.map((name) => safeLine(name)).join(", ");
    terminal.out(json ? jsonLine(result) : `✓ ${names} may not come in any more\n`);
    return 0;
  },
});

async function keepAddress(given: string, context: Context): Promise<void> {
  const refusal = refusedForPhone(given);
  if (refusal !== undefined)
    throw new ParleyError(
      "usage",
      `Not for a phone: ${safeLine(refusal, { max: 300 })}. Ways that work: docs/phone.md`,
    );
  const { entry } = await setOwn("web.address", new URL(given).origin, context);
  if (entry.value !== new URL(given).origin)
    throw new ParleyError("settings", "web.address is set elsewhere too, and that counts: parley config web.address");
}

type Made = { code: string; expiresAt: number; address: string; url: string };
function words({ code, expiresAt, address, url }: Made, isInverted: boolean, { width, style }: Context["terminal"]) {
  const qr = qrLines(url, width, isInverted);
  const drawn = qr ? `${qr.join("\n")}\n\n` : "";
  return [
    `${drawn}Scan it with the phone's camera, or open there:`,
    `  ${style.bold(safeLine(url))}`,
    `Signing in at ${safeLine(address)} by hand, as on an iPhone's home screen: ${style.bold(safeLine(code))}`,
    `It works once, until ${clock(expiresAt).slice(11)}.\n`,
  ].join("\n");
}

async function wait(before: ReadonlySet<string>, { terminal, client }: Context): Promise<number> {
  terminal.out("Waiting …\n");
  for (;;) {
    const { phones, expecting } = await client.call("listPhones");
    const came = phones.find(({ id }) => !before.has(id));
    if (came) {
      terminal.out(
        `${terminal.style.green("✓")} Paired with ${safeLine(came.name)}. Switch pushes on there, then prove it: parley notify test push\n`,
      );
      return 0;
    }
    if (!expecting) {
      terminal.err("Nobody came with the code. Try again: parley phone\n");
      return 1;
    }
    await pause(LOOK_MS);
  }
}
