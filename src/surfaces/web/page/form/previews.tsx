import { here } from "../../../../core/form/state.ts";
import type { FormState } from "../../../../core/form/form.ts";
import { looksSelected, pickRow } from "../../../../core/form/point.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { pageKey } from "../page-key.ts";
import { Verbatim } from "./question-text.tsx";

type Props = { ask: AskView; form: FormState; set: (state: FormState) => void };

/** Every option's preview beside the others, to compare. */
export function Previews({ ask, form, set }: Props) {
  const { question, entry } = here(form);
  if (!question || !entry || !question.options.some(({ preview }) => preview?.trim())) return null;
  return (
    <div class="previews">
      {question.options.map(
        ({ label, preview }, row) =>
          preview?.trim() && (
            <figure data-picked={looksSelected(form, question, entry, row)}>
              <figcaption>
                <button type="button" onClick={() => set(pickRow(form, row))}>
                  {safeLine(label, { max: 80 })}
                </button>
              </figcaption>
              <Preview text={preview} title={label} src={previewPath(ask.id, form.current, row)} />
            </figure>
          ),
      )}
    </div>
  );
}

const previewPath = (ask: string, question: number, option: number) =>
  `/preview/${ask}/${question}/${option}?page=${pageKey()?.previews ?? ""}`;

/** A drawing or code, to the letter. HTML is shown only in a frame that can do nothing; it comes from its own address, with its own policy. */
function Preview({ text, title, src }: { text: string; title: string; src: string }) {
  if (isHtml(text))
    return <iframe sandbox="" src={src} title={`Preview of ${safeLine(title, { max: 80 })}`} loading="lazy" />;
  return <Verbatim text={text} />;
}

const isHtml = (text: string) =>
  /^\s*<(?:!doctype|html|head|body|[a-z][\w-]*)[\s>/]/i.test(text) && /<\/?\w+[^>]*>\s*$/.test(text);
