import type { Ask } from "../ask.ts";
import type { Question } from "../question.ts";
import { plain } from "./plain.ts";
import type { FoundStake, Stake } from "./stake.ts";

const LONGEST = 20_000;

/** Where a verb says what would be done, not what somebody else does: "Delete it?", "Should I push", not "when users delete". */
const LEAD = String.raw`(?:^|[.!?;:,(\u2014\u2013-]\s?|(?<![\p{L}\p{N}])(?:i|i'll|we|you|me|us|to|and|then|will|should|shall|would|now|please|yes|or|just|also|simply|git|npm|gh)\s)`;
const NEAR = String.raw`(?:\s+[^\s]+){0,5}?\s+`;
const END = String.raw`(?![\p{L}\p{N}])`;
const act = (verbs: string, objects: string) => new RegExp(`(?<=${LEAD})(?:${verbs})${NEAR}(?:${objects})${END}`, "u");
const alone = (verbs: string) =>
  new RegExp(`^(?:yes,? |no,? )?(?:${verbs})(?: (?:it|them|all|everything|anyway|now|both|without \\S+))?$`, "u");

const ERASE = String.raw`delet(?:e|es|ing)|remov(?:e|es|ing)|wip(?:e|es|ing)|eras(?:e|es|ing)|purg(?:e|es|ing)|destroy(?:s|ing)?|drop(?:s|ping)?|overwrit(?:e|es|ing)|discard(?:s|ing)?|clear(?:s|ing)?|nuk(?:e|es)|trash(?:es)?|truncat(?:e|es)|reset(?:s|ting)?|uninstall(?:s)?|tear(?:s)? down|terminat(?:e|es)|kill(?:s)?|revert(?:s|ing)?`;
const ERASED = String.raw`data|databases?|db|tables?|columns?|rows?|records?|files?|folders?|director(?:y|ies)|branch(?:es)?|worktrees?|repo(?:sitory|s)?|backups?|history|commits?|changes|work|volumes?|buckets?|clusters?|instances?|environments?|accounts?|users?|everything|existing|production|prod|code|tests?|migrations?|snapshots?|logs?|indexes|schema|collections?|secrets?|home|disk|process(?:es)?|originals?|resources?|stack|deployment`;
const PUBLISH = String.raw`publish(?:es|ing)?|deploy(?:s|ing)?|release(?:s)?|push(?:es|ing)?|merge(?:s)?|post(?:s)?|tweet(?:s)?|send(?:s)?|submit(?:s)?|announce(?:s)?|ship(?:s)?|upload(?:s)?|open(?:s)?|create(?:s)?|share(?:s)?|email(?:s)?|promote(?:s)?|squash merge|force[- ]push(?:es)?`;
const AUDIENCE = String.raw`npm|pypi|crates\.io|registry|production|prod|main|master|remote|origin|public(?:ly)?|pull request|prs?|release|e?mails?|slack|discord|app store|marketplace|website|live|github|upstream|customers|users|everyone|internet|telemetry|usage data|v?\d+(?:\.\d+)+`;
const SECRET = String.raw`api[- ]?keys?|secrets?|passwords?|passphrases?|credentials?|access tokens?|auth tokens?|bot tokens?|private keys?|ssh keys?|seed phrases?|\.env|env file`;

const SIGNS: Record<Stake, readonly RegExp[]> = {
  destructive: [
    act(ERASE, ERASED),
    alone(ERASE),
    /\brm -\w*[rf]|git (?:reset --hard|clean -\w*f|branch -d\b)|push (?:--force|-f)\b|force[- ]push|drop (?:table|database|schema)|delete from|truncate table|mkfs|\bdd if=|(?:terraform|tofu) destroy|kubectl delete|docker (?:system prune|volume rm)|--hard\b/,
  ],
  irreversible: [
    /irreversibl|can(?:no|')?t be (?:undone|reverted|recovered|restored)|cannot be (?:undone|reverted|recovered|restored)|no (?:way back|undo|going back)|one-way (?:door|migration|change)|point of no return|not (?:be )?reversible|unrecoverable|data loss|permanently|rewrit(?:e|es|ing) (?:the )?(?:git )?history|force[- ]push/,
    /los(?:e|es|ing) (?:all|any|your|the|every) (?:\S+ ){0,2}(?:data|work|changes|history|progress|files)/,
  ],
  money: [
    /[$€£]\s?\d|\d\s?(?:usd|eur|gbp|dollars|euros)\b|\bcosts? money\b|credit card/,
    act(
      String.raw`buy(?:s)?|purchase(?:s)?|subscribe(?:s)?|pay(?:s)?|spend(?:s)?|charge(?:s)?|refund(?:s)?|order(?:s)?|transfer(?:s)?|upgrade(?:s)?|provision(?:s)?`,
      String.raw`plan|tier|subscription|credits?|licen[cs]es?|domains?|money|funds|invoices?|cards?|customers?|payments?|instances?|seats?|paid|gpu|budget|quota`,
    ),
    alone("buy|purchase|subscribe|pay|refund"),
  ],
  secrets: [
    act(
      String.raw`shar(?:e|es)|send(?:s)?|past(?:e|es)|enter(?:s)?|provid(?:e|es)|print(?:s)?|expos(?:e|es)|commit(?:s)?|upload(?:s)?|rotat(?:e|es)|revok(?:e|es)|copy|copies|show(?:s)?|reveal(?:s)?|export(?:s)?|read(?:s)?|use(?:s)?|log(?:s)?|add(?:s)?|creat(?:e|es)|generat(?:e|es)|type`,
      `(?:your|my|the|our|this|real|production|live|a|an|new)(?: \\S+){0,2} (?:${SECRET})|(?:${SECRET})`,
    ),
    new RegExp(`(?:what(?:'s| is)|which is|need) (?:your|the|my)(?: \\S+){0,2} (?:${SECRET})${END}`, "u"),
  ],
  publishing: [
    act(PUBLISH, AUDIENCE),
    alone(String.raw`publish|deploy|release|push|(?:squash |rebase and )?merge(?: with history)?|ship it|go live`),
    /git push|npm publish|(?:cargo|twine|gh release|gh pr|docker push) |\bgo(?:es)? live\b|^(?:merge|deploy|publish|release) (?!strateg|target|process|notes|cadence|cycle|plan|method|approach|pipeline|schedule|conflict|order|queue|type|branch|train|version)/,
    act(
      String.raw`run(?:s)?|appl(?:y|ies)|execute(?:s)?|migrate(?:s)?|restart(?:s)?|change(?:s)?`,
      String.raw`production|prod|live`,
    ),
  ],
  permission: [
    act(
      String.raw`allow(?:s)?|grant(?:s)?|permit(?:s)?|authori[sz]e(?:s)?|give(?:s)?|elevate(?:s)?`,
      String.raw`access|permissions?|commands?|tools?|sudo|root|admin(?:istrator)?|privileges?|rights|bash|shell|network|write`,
    ),
    act(
      String.raw`disabl(?:e|es|ing)|bypass(?:es)?|skip(?:s)?|turn(?:s)? off|ignor(?:e|es)|weaken(?:s)?`,
      String.raw`sandbox|security|protections?|permissions?|authentication|2fa|mfa|firewall|signature checks?|certificate checks?|tls|branch protection|hooks?|safety`,
    ),
    /\bsudo\b|--dangerously|--no-verify\b|chmod 777|as (?:root|administrator)\b/,
  ],
};

/** What an Ask risks, with the words that say so; in doubt it is named. */
export function stakesOf({ kind, questions }: Pick<Ask, "kind" | "questions">): FoundStake[] {
  const found = questions.flatMap((question, index): FoundStake[] => [
    ...structural(kind, question).map((why) => ({ stake: "permission" as const, question: index, why })),
    ...named(question, index, kind),
  ]);
  return found.filter(
    ({ stake, question }, i) => found.findIndex((other) => other.stake === stake && other.question === question) === i,
  );
}

function structural(kind: Ask["kind"], { options }: Question): string[] {
  if (kind === "approval" || kind === "plan") return [`it is ${kind === "plan" ? "a plan" : "an approval"}`];
  return options.flatMap(({ label, effect, stakes }) => {
    if (effect === "allow") return [`"${label}" allows something`];
    return stakes === "high" ? [`"${label}" changes more than this one thing`] : [];
  });
}

function named({ text, header, body = "", options }: Question, question: number, kind: Ask["kind"]): FoundStake[] {
  const texts = [text, header, body, ...options.flatMap(({ label, description }) => [label, description])];
  if (texts.reduce((sum, each) => sum + each.length, 0) > LONGEST)
    return [{ stake: "unread", question, why: "it is too long to judge what it risks" }];
  const seen = texts.map(plain).filter((each) => each !== "");
  const stakes = Object.entries(SIGNS).flatMap(([stake, signs]): FoundStake[] => {
    for (const each of seen)
      for (const sign of signs) {
        const words = sign.exec(each)?.[0];
        if (words !== undefined) return [{ stake: stake as Stake, question, why: `"${tidy(words)}"` }];
      }
    return [];
  });
  if (kind !== "elicitation" || !seen.some((each) => new RegExp(`(?:${SECRET}|tokens?)${END}`, "u").test(each)))
    return stakes;
  return [...stakes, { stake: "secrets", question, why: "it asks for a secret" }];
}

function tidy(words: string): string {
  return words.replace(/^[^\p{L}\p{N}$€£-]+/u, "").trim();
}
