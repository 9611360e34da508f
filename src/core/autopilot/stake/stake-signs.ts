import type { Stake } from "./stake.ts";
import { anyOf } from "../word-list.ts";

// All of these are searched in plain texts: one line, lower case, no invisible characters. Every repetition is bounded.

/** Where a verb says what would be done, not what somebody else does: "Delete it?", "Should I push", not "when users delete". */
const LEAD = String.raw`(?<=^|[.!?;:,(\u2014\u2013-]\s?|(?<![\p{L}\p{N}])(?:i|i'll|we|you|me|us|to|and|then|will|should|shall|would|now|please|yes|or|just|also|simply|git|npm|gh)\s)`;
const END = String.raw`(?![\p{L}\p{N}])`;
const act = (verbs: string, objects: string) =>
  new RegExp(String.raw`${LEAD}${anyOf(verbs)}(?:\s+[^\s]+){0,5}?\s+${anyOf(objects)}${END}`, "u");
/** A label that is nothing but the act. */
const alone = (verbs: string) =>
  new RegExp(`^(?:yes,? |no,? )?${anyOf(verbs)}(?: (?:it|them|all|everything|anyway|now|both|without \\S+))?$`, "u");
const asked = (verbs: string) =>
  new RegExp(
    String.raw`${LEAD}${anyOf(verbs)}(?:\s+(?:it|this|that|them|these|those|all|now|anyway|everything|both|today|again|on))*\s*\?`,
    "u",
  );
/** "Continue by wiping", "OK with me deleting"; not "support deleting". */
const doing = (verbs: string, objects: string) =>
  new RegExp(
    String.raw`(?<=^is\s|(?<![\p{L}\p{N}])(?:by|with|me|my|i'm|i am|we're|we are|start|begin|continue|mind|recommend|suggest|propose|means|involves|requires)\s)${anyOf(verbs)}(?:\s+[^\s]+){0,5}?\s+${anyOf(objects)}${END}`,
    "u",
  );
/** "the database be dropped", "users table is deleted"; not "was deleted", which has happened. */
const done = (objects: string, participles: string) =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])${anyOf(objects)}(?:\s+(?!not|never)[^\s]+){0,4}?\s+(?:be|being|is|are|gets?)(?:\s+(?!not|never)[^\s]+){0,2}?\s+${anyOf(participles)}${END}`,
    "u",
  );
/** Not "release strategy", "merge conflict". */
const NO_NOUN = String.raw`(?! (?:strateg|target|process|notes|cadence|cycle|plan|method|approach|pipeline|schedule|conflict|order|queue|type|branch|train|version))`;

const ERASE = String.raw`
  delet(?:e|es|ing)|remov(?:e|es|ing)|wip(?:e|es|ing)|eras(?:e|es|ing)|purg(?:e|es|ing)|destroy(?:s|ing)?|drop(?:s|ping)?|nukes?|trash(?:es)?
  overwrit(?:e|es|ing)|discard(?:s|ing)?|clear(?:s|ing)?|truncates?|reset(?:s|ting)?|revert(?:s|ing)?|uninstalls?|tears? down|terminates?|kills?
  gets? rid of|do away with|throws? away|blows? away|prunes?
`;
const ERASING = String.raw`
  deleting|removing|wiping|erasing|purging|destroying|dropping|nuking|trashing|overwriting|discarding|clearing|truncating|resetting
  reverting|uninstalling|tearing down|terminating|killing|getting rid of|throwing away|blowing away|pruning
`;
const GONE = String.raw`
  deleted|removed|wiped|erased|purged|destroyed|dropped|nuked|trashed|overwritten|discarded|cleared|truncated|reset
  reverted|uninstalled|torn down|terminated|killed|gotten rid of|thrown away|blown away|pruned
`;
const ERASED = String.raw`
  data|databases?|db|tables?|columns?|rows?|records?|collections?|schema|indexes|migrations?|snapshots?|backups?|logs?
  files?|folders?|director(?:y|ies)|home|disk|volumes?|buckets?|originals?|secrets?|code|tests?|work|changes|everything|existing
  branch(?:es)?|worktrees?|repo(?:sitory|s)?|history|commits?
  clusters?|instances?|environments?|production|prod|deployment|stack|resources?|process(?:es)?|accounts?|users?
`;
const PUBLISH = String.raw`
  publish(?:es|ing)?|deploy(?:s|ing)?|releases?|push(?:es|ing)?|force[- ]push(?:es)?|merges?|squash merge|promotes?|ships?
  posts?|tweets?|sends?|submits?|announces?|uploads?|opens?|creates?|shares?|emails?
`;
const AUDIENCE = String.raw`
  npm|pypi|crates\.io|registry|app store|marketplace|production|prod|live|main|master|remote|origin|upstream|v?\d+(?:\.\d+)+
  public(?:ly)?|pull request|prs?|release|github|website|internet|e?mails?|slack|discord|customers|users|everyone|telemetry|usage data
`;
const INFRASTRUCTURE = "terraform|tofu|pulumi|helm|kubectl|ansible|cloudformation|cdk";
const SECRET = String.raw`
  api[- ]?keys?|secrets?|passwords?|passphrases?|credentials?|(?:access|auth|bot) tokens?|(?:private|ssh|signing|encryption|gpg|deploy|host) keys?|seed phrases?|\.env|env file
`;

/** In any text of a question: what it asks, what it is about, its labels and their descriptions. */
export const SIGNS: Record<Stake, readonly RegExp[]> = {
  destructive: [
    act(ERASE, ERASED),
    doing(ERASING, ERASED),
    alone(ERASE),
    new RegExp(
      anyOf(String.raw`
        \bhard[- ]reset(?:s|ting)?\b|\brm -\w*[rf]|git (?:reset --hard|clean -\w*f|branch -d\b)|push (?:--force|-f)\b|force[- ]push|--hard\b
        drop (?:table|database|schema)|delete from|truncate table|mkfs|\bdd if=
        (?:terraform|tofu) destroy|kubectl delete|docker (?:system prune|volume rm)
      `),
    ),
  ],
  irreversible: [
    new RegExp(
      anyOf(String.raw`
        irreversibl|unrecoverable|not (?:be )?reversible|(?:cannot|can't|can not) be (?:undone|reverted|recovered|restored)
        no (?:way back|undo|going back)|point of no return|one-way (?:door|migration|change)|permanently|data loss
        rewrit(?:e|es|ing) (?:the )?(?:git )?history|force[- ]push
        los(?:e|es|ing) (?:all|any|your|the|every) (?:\S+ ){0,2}(?:data|work|changes|history|progress|files)
      `),
    ),
  ],
  money: [
    /[$€£]\s?\d|\d\s?(?:usd|eur|gbp|dollars|euros)\b|\bcosts? money\b|credit card/,
    act(
      "buys?|purchases?|subscribes?|pays?|spends?|charges?|refunds?|orders?|transfers?|upgrades?|provisions?",
      "plan|tier|subscription|credits?|licen[cs]es?|domains?|money|funds|invoices?|cards?|customers?|payments?|instances?|seats?|paid|gpu|budget|quota",
    ),
    alone("buy|purchase|subscribe|pay|refund"),
  ],
  secrets: [
    act(
      "shares?|sends?|pastes?|enters?|provides?|prints?|exposes?|shows?|reveals?|exports?|uploads?|copy|copies|commits?|reads?|uses?|logs?|adds?|creates?|generates?|rotates?|revokes?|type",
      SECRET,
    ),
    new RegExp(`(?:what(?:'s| is)|need) (?:your|the|my)(?: \\S+){0,2} ${anyOf(SECRET)}${END}`, "u"),
  ],
  publishing: [
    act(PUBLISH, AUDIENCE),
    alone("publish|deploy|release|push|(?:squash |rebase and )?merge(?: with history)?|ship it|go live"),
    act("runs?|appl(?:y|ies)|executes?|migrates?|restarts?|changes?", "production|prod|live"),
    doing("publishing|deploying|releasing|pushing|merging|shipping|promoting|uploading|sending", AUDIENCE),
    act("appl(?:y|ies)|runs?|executes?", INFRASTRUCTURE),
    new RegExp(String.raw`\b${anyOf(INFRASTRUCTURE)} (?:apply|up|upgrade|install)\b`, "u"),
    new RegExp(
      String.raw`\b(?:mak(?:e|es|ing)|sets?|turns?|switch(?:es)?|flips?) (?:it|this|(?:\S+ ){0,3}?(?:repo|repository|project|bucket|package|gist|dataset|image|site|board|channel|document|folder|link)s?) (?:\S+ )?public\b`,
    ),
    /git push|npm publish|(?:cargo|twine|gh release|gh pr|docker push) |\bgo(?:es)? live\b/,
    new RegExp(`^(?:merge|deploy|publish|release)(?= )${NO_NOUN}`),
  ],
  permission: [
    act(
      "allows?|grants?|permits?|authori[sz]es?|gives?|elevates?",
      "access|permissions?|commands?|tools?|sudo|root|admin(?:istrator)?|privileges?|rights|bash|shell|network|write",
    ),
    act(
      "disabl(?:e|es|ing)|bypass(?:es)?|skips?|turns? off|ignores?|weakens?",
      "sandbox|security|protections?|permissions?|authentication|2fa|mfa|firewall|(?:signature|certificate) checks?|tls|hooks?|safety",
    ),
    /\bsudo\b|--dangerously|--no-verify\b|chmod 777|as (?:root|administrator)\b/,
  ],
};

/** In a sentence that asks for a yes: what would be done is said even where it names no object. "Shall we deploy now?" */
export const ASKED: Partial<Record<Stake, readonly RegExp[]>> = {
  destructive: [asked(ERASE)],
  publishing: [
    asked("push|merge|send"),
    new RegExp(`${LEAD}(?:deploy|publish|release|ship|go live|roll out)${END}${NO_NOUN}`, "u"),
  ],
};

/** Where it is said what will become of something; not where it is asked how that shall work. */
export const TOLD: Partial<Record<Stake, readonly RegExp[]>> = {
  destructive: [
    done(ERASED, GONE),
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:have|get|like|want)(?:\s+[^\s]+){0,4}?\s+${anyOf(ERASED)} ${anyOf(GONE)}${END}`,
      "u",
    ),
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:deletion|removal|erasure|destruction|truncation|purge|wipe|${anyOf(ERASING)}) of(?:\s+[^\s]+){0,4}?\s+${anyOf(ERASED)}${END}`,
      "u",
    ),
    new RegExp(String.raw`(?<![\p{L}\p{N}])${anyOf(ERASED)} (?:deletion|removal|erasure|wipe|purge)${END}`, "u"),
  ],
  secrets: [done(SECRET, "shared|sent|committed|printed|exposed|revealed|logged|uploaded|exported|rotated|revoked")],
  publishing: [
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:should|shall|can|may|could|if)(?:\s+[^\s]+){1,5}?\s+(?:be|is|are|gets?)(?:\s+(?!not|never)[^\s]+)?\s+(?:published|deployed|released|shipped|rolled out|pushed|made public)${END}`,
      "u",
    ),
  ],
};

/** What somebody who fills in a form would be asked for. */
export const SECRET_FIELD = new RegExp(`${anyOf(`${SECRET}\n tokens?`)}${END}`, "u");
