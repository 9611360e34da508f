import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { safeText } from "../../../../core/text/text.ts";
import { type Block, readMarkdown } from "../../../../core/text/markdown.ts";
import { type Inline, readInline } from "../../../../core/text/markdown-inline.ts";

/** More than a person reads; the rest is there, as plain text. */
const MOST = 20_000;

export function Markdown({ text }: { text: string }) {
  const { blocks, rest } = useMemo(() => {
    const safe = safeText(text);
    return { blocks: readMarkdown(safe.slice(0, MOST)), rest: safe.slice(MOST) };
  }, [text]);
  return (
    <div class="markdown">
      {blocks.map(block)}
      {rest !== "" && (
        <details>
          <summary>{rest.length.toLocaleString("en")} more characters</summary>
          <pre>{rest}</pre>
        </details>
      )}
    </div>
  );
}

/** One line: no blocks. */
export function InlineMarkdown({ text }: { text: string }) {
  return <>{readInline(safeText(text)).map(inline)}</>;
}

function block(item: Block): ComponentChildren {
  switch (item.type) {
    case "heading":
      return (
        <p class="heading" data-level={item.level}>
          {item.content.map(inline)}
        </p>
      );
    case "paragraph":
      return <p>{item.content.map(inline)}</p>;
    case "code":
      return <pre>{item.text}</pre>;
    case "quote":
      return <blockquote>{item.blocks.map(block)}</blockquote>;
    case "list": {
      const items = item.items.map((blocks) => <li>{tight(blocks)}</li>);
      return item.ordered ? <ol start={item.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return (
        <div class="wide">
          <table>
            <thead>
              <tr>
                {item.head.map((cell) => (
                  <th>{cell.map(inline)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {item.rows.map((row) => (
                <tr>
                  {row.map((cell) => (
                    <td>{cell.map(inline)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case "rule":
      return <hr />;
  }
}

function tight([first, ...rest]: Block[]): ComponentChildren {
  return first?.type === "paragraph"
    ? [first.content.map(inline), rest.map(block)]
    : [first && block(first), rest.map(block)];
}

function inline(item: Inline): ComponentChildren {
  switch (item.type) {
    case "text":
      return item.text;
    case "code":
      return <code>{item.text}</code>;
    case "strong":
      return <strong>{item.content.map(inline)}</strong>;
    case "emphasis":
      return <em>{item.content.map(inline)}</em>;
    case "deleted":
      return <del>{item.content.map(inline)}</del>;
    case "break":
      return <br />;
    case "link":
      return (
        <a href={item.href} title={item.href} target="_blank" rel="noopener noreferrer nofollow">
          {item.content.map(inline)}
        </a>
      );
  }
}
