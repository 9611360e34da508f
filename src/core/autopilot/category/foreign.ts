import { anyOf } from "../word-list.ts";

const TWINS: Record<string, string> = {
  ...pairs("аеорсухіјѕԁһӏкмтвнгԛԝ", "aeopcyxijsdhlkmtbhrqw"),
  ...pairs("αοερυνικτχηωγβ", "aoepuviktxnwyb"),
  ...pairs("ɡıɑ", "gia"),
};

/** Letters that look like Latin ones are those, and accents are gone: "dеlétе" is "delete". The text is plain. */
export function folded(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const bare = text.normalize("NFD").replace(/\p{M}/gu, "");
  return bare.replace(/[^\x20-\x7e]/gu, (letter) => TWINS[letter] ?? letter);
}

const WORDS = anyOf(String.raw`
  (?:ge)?l(?:ö|oe)sch(?:e|en|t|ung|st)?|entfern(?:e|en|t|ung)|(?:ü|ue)berschr(?:eiben|eibe|eibt|ieben)|verw(?:e|o)rfen|zur(?:ü|ue)ck(?:zu)?setzen
  elimin(?:ar|o|amos|en|ado|ados|ada|adas|are|iamo)|borr(?:ar|o|amos|en|ado|ados|ada|adas|arlo|arla)|sobrescribir|descartar|vaciar
  supprim(?:er|ons|ez|é|és|ée|ées)|supprime(?: le| la| les)|suppression (?:de|du|des)|effac(?:er|ez|é|ée|ées)|écras(?:er|ez|é|ée)
  cancellare|excluir|apagar|удал(?:ить|им|яю|яем|ять|ение|ения|ен|ена|ены)|стереть|сбросить
`);
/** What deletes, in languages other than English; the text is plain. */
export const FOREIGN_ERASE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${WORDS}(?![\p{L}\p{N}])|删除|刪除|清空|销毁|覆盖|削除|삭제`,
  "u",
);

function pairs(from: string, to: string): Record<string, string> {
  return Object.fromEntries(Array.from(from, (letter, i) => [letter, to[i] ?? letter]));
}
