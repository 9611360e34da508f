import { plainLabel } from "./plain.ts";

/** What an option does with the question: answers it, hands it back, opens it, or is an answer of its own. */
export type LabelKind = "yes" | "no" | "delegate" | "open" | "none" | "content";

const words = (list: string) => list.split(" | ").join("|");

const DELEGATE = new RegExp(
  `^(?:${words(
    "you (?:decide|choose|pick|recommend)|your (?:call|choice|discretion|pick|best judge?ment)|up to you|surprise me|no (?:strong )?preference | (?:i )?don't (?:care|mind)|doesn't matter|whatever|whichever|either (?:is fine|works|way)|dealer's choice",
  )}|(?:use |at )?(?:your|claude's|the agent's) (?:best )?(?:discretion|judge?ment|choice)|(?:let |leave it to |trust |defer to )?(?:claude|the agent|the ai|ai|agent|you)(?:'s)? (?:to )?(?:decides?|chooses?|picks?|discretion|choice|judge?ment|handles? (?:it|this))|(?:let|leave it to|defer to|trust) (?:claude|you|the agent))\\b`,
);
const OPEN =
  /^(?:something (?:else|different)|(?:an)?other\b(?! (?:option|than))|custom (?:input|answer|text|value)|type (?:something|it|my|your|here|a )|(?:yes, |no, )?(?:let me|i'll|i will|i want to|i'd like to) (?:describe|explain|type|specify|write|tell|provide|add|clarify|share|paste|give|define|enter|elaborate|discuss|name|list)|none of (?:these|the above|them)|free[- ]?(?:text|form)|(?:enter|write|provide|specify|describe|use) (?:my|your|a|an) (?:own|custom|different)|chat about|let's (?:discuss|talk|chat)|tell (?:me|you) more|describe (?:it|your|my|the)|i have (?:something|another|a different))/;
const TYPED = /(?<![\p{L}])(?:type|enter|describe|specify|your own|my own|free[- ]?text|custom input)(?![\p{L}])/u;
const NONE =
  /^(?:none\b(?! of)|nothing\b|no (?:more|additional|extra)|neither|skip all|all clear|not? (?:needed|required|necessary)|none of)/;
const YES =
  /^(?:y|yes|yep|yeah|ok|okay|sure|proceed|continue|confirm(?:ed)?|approved?|accept|agreed?|go ahead|go for it|go|looks? (?:good|great|right|correct)|lgtm|sounds good|correct|that's (?:right|correct)|right|do it|start|begin|ready|i'm ready|ship it|let's (?:go|do it|start|move)|apply|run it|keep going|all good|good to go|perfect|great|enabled?|allow|on|next|move (?:on|forward)|done|finish|pass(?:ed)?|works?|it works|true|include it|merge(?: now| it)?|send it|use (?:it|this|these)|help|是|是的|确认|はい|sí|si|oui|ja|sim|да|예|네)(?![\p{L}\p{N}])/u;
const NO =
  /^(?:n|no|nope|not|cancel|abort|stop|skip|reject|decline|deny|don't|do not|never|wait|pause|hold|later|defer|revise|revisit|adjust|change|edit|modify|review|rework|rethink|go back|back|exit|quit|disabled?|needs? |keep (?:exploring|as[- ]is|current|existing|it|them|talking|discussing|editing)|start over|more|request changes|let me|maybe|fail(?:ed|s)?|leave|discard|redo|return|off|false|explore more|refine|different|cancel|just exit|否|不|取消|いいえ|non|nein|não|нет|아니)(?![\p{L}\p{N}])/u;

export function labelKind(label: string, description = ""): LabelKind {
  const text = plainLabel(label).slice(0, 200);
  if (DELEGATE.test(text) || /^(?:claude's discretion|defer to claude)\b/i.test(description)) return "delegate";
  if (OPEN.test(text) || (TYPED.test(plainLabel(description)) && /^(?:custom|manual|own)/.test(text))) return "open";
  if (NONE.test(text)) return "none";
  if (NO.test(text)) return "no";
  return YES.test(text) ? "yes" : "content";
}
