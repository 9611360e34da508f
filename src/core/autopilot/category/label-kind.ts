import { plain, plainLabel } from "../plain.ts";
import { anyOf, beginsWith } from "../word-list.ts";

/** What an option does with the question: affirms it, does not, hands it back, opens it, takes nothing, or is an answer of its own. */
export type LabelKind = "yes" | "no" | "delegate" | "open" | "none" | "content";

const DELEGATE = beginsWith(String.raw`
  you (?:decide|choose|pick|recommend)|your (?:call|choice|pick)|up to you|dealer's choice|surprise me
  (?:use |at )?(?:your|claude's|the agent's) (?:best )?(?:discretion|judge?ment|choice)
  (?:let|leave it to|trust|defer to) (?:claude|you|the agent|the ai)
  (?:claude|the agent|the ai|ai|agent)(?:'s)? (?:to )?(?:decides?|chooses?|picks?|discretion|choice|handles? (?:it|this))
  no (?:strong )?preference|(?:i )?don't (?:care|mind)|doesn't matter|whatever|whichever|either (?:is fine|works|way)
  du entscheidest|entscheide du|tú decides|decide tú|você decide|à toi de décider|реши сам
`);
const OPEN = beginsWith(String.raw`
  something (?:else|different)|other(?=$| [(\u2014-]|[:,])|custom (?:input|answer|text|value)|free[- ]?(?:text|form)
  (?:yes, |no, )?(?:let me|i'll|i will|i want to|i'd like to) (?:describe|explain|type|specify|write|tell|provide|add|clarify|share|paste|give|define|enter|elaborate|discuss|name|list)
  type (?:something|it|my|your|here|a)|(?:enter|write|provide|specify|describe|use) (?:my|your|a|an) (?:own|custom|different)
  describe (?:it|your|my|the)|none of (?:these|the above|them)|i have (?:something|another|a different)
  chat about|let's (?:discuss|talk|chat)|tell (?:me|you) more|otro|otra|outro|autre|etwas anderes|другое
`);
const NONE = beginsWith(String.raw`
  none|nothing|neither|skip all|all clear|no (?:more|additional|extra)|not? (?:needed|required|necessary)
`);
const NO = beginsWith(String.raw`
  n|no|nope|not|never|don't|do not|maybe|cancel|abort|stop|skip|reject|decline|deny|exit|quit|just exit|discard|return|leave|off|false|disabled?
  wait|pause|hold|later|defer|go back|back|start over|more|explore more|different|fail(?:ed|s)?|needs? \S+
  revise|revisit|adjust|change|edit|modify|review|rework|rethink|refine|redo|request changes|let me
  keep (?:exploring|as[- ]is|current|existing|it|them|talking|discussing|editing)
  nein|abbrechen|ändern|non|annuler|modifier|não|cancelar|ajustar|modificar|нет|отмена
`);
const YES = beginsWith(String.raw`
  y|yes|yep|yeah|ok|okay|sure|true|correct|right|perfect|great|that's (?:right|correct)|looks? (?:good|great|right|correct)|sounds good|lgtm|all good
  proceed|continue|confirm(?:ed)?|approved?|accept|agreed?|go|go ahead|go for it|good to go|do it|start|begin|ready|i'm ready|keep going
  let's (?:go|do it|start|move)|move (?:on|forward)|next|done|finish|ship it|apply|run it|send it|include it|use (?:it|this|these)|merge(?: now| it)?|help
  allow|enabled?|on|pass(?:ed)?|works?|it works
  ja|weiter|fortfahren|oui|continuer|confirmer|sí|si|sim|continuar|confirmar|prosseguir|да|продолжить
`);

/** Scripts that put no spaces between words: what begins so goes on as it likes. */
const UNSPACED: readonly [RegExp, LabelKind][] = [
  [/^(?:你(?:来)?决定|由你决定|お任せ|おまかせ|알아서)/, "delegate"],
  [/^(?:其他|その他|기타)/, "open"],
  [/^(?:否|不|取消|停止|修改|跳过|いいえ|中止|キャンセル|修正|아니|수정|중단|취소)/, "no"],
  [/^(?:是|确认|继续|执行|批准|同意|はい|続行|実行|承認|進め|예|네|실행|진행|계속|승인)/, "yes"],
];

const TYPED = new RegExp(anyOf("type |enter |describe|specify|your own|my own|free[- ]?text|custom input"));
const HANDED_OVER = /^(?:claude's discretion|defer to claude)/;

export function labelKind(label: string, description = ""): LabelKind {
  const text = plainLabel(label.slice(0, 300));
  const about = plain(description.slice(0, 300));
  if (DELEGATE.test(text) || HANDED_OVER.test(about)) return "delegate";
  if (OPEN.test(text) || (/^(?:custom|manual)/.test(text) && TYPED.test(about))) return "open";
  if (NONE.test(text)) return "none";
  if (NO.test(text)) return "no";
  if (YES.test(text)) return "yes";
  return UNSPACED.find(([sign]) => sign.test(text))?.[1] ?? "content";
}
