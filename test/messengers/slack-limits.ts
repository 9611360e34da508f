/** What Block Kit's reference says is refused, for the blocks and elements that Parley uses. Answers Slack's word for it. */
type Json = Record<string, unknown>;

const IN_MESSAGE = new Set(["section", "context", "actions", "rich_text", "divider", "header", "image"]);
const IN_ACTIONS = new Set(["button", "static_select", "overflow", "datepicker", "checkboxes", "radio_buttons"]);
const IN_SECTION = new Set([...IN_ACTIONS, "multi_static_select", "image"]);
const IN_INPUT = new Set(["plain_text_input", "static_select", "multi_static_select", "checkboxes", "radio_buttons"]);

export function problemWithBlocks(blocks: unknown, most: number, surface: "message" | "modal"): string | undefined {
  if (!Array.isArray(blocks)) return "invalid_blocks_format";
  if (blocks.length > most || (surface === "modal" && blocks.length === 0)) return "invalid_blocks";
  const ids = (blocks as Json[]).flatMap(({ block_id: id }) => (id === undefined ? [] : [id]));
  if (new Set(ids).size !== ids.length) return "invalid_blocks";
  return (blocks as Json[]).every((block) => isBlock(block, surface)) ? undefined : "invalid_blocks";
}

export function problemWithView(given: unknown): string | undefined {
  const view = given as Json | undefined;
  if (view?.["type"] !== "modal") return "view: type";
  if (!isText(view["title"], 24)) return "title: more than 24 characters";
  for (const name of ["submit", "close"])
    if (view[name] !== undefined && !isText(view[name], 24)) return `${name}: more than 24 characters`;
  if (String(view["private_metadata"] ?? "").length > 3000) return "private_metadata: more than 3000 characters";
  if (String(view["callback_id"] ?? "").length > 255) return "callback_id: more than 255 characters";
  const inputs = ((view["blocks"] ?? []) as Json[]).some(({ type }) => type === "input");
  if (inputs && view["submit"] === undefined) return "submit: needed where there is an input";
  return problemWithBlocks(view["blocks"], 100, "modal") && "blocks";
}

function isBlock(block: Json, surface: "message" | "modal"): boolean {
  const { type, block_id: id } = block;
  if (id !== undefined && (typeof id !== "string" || id === "" || id.length > 255)) return false;
  if (type !== "input" && !IN_MESSAGE.has(String(type))) return false;
  switch (type) {
    case "section":
      return (
        isText(block["text"], 3000) &&
        (block["accessory"] === undefined || isElement(block["accessory"] as Json, IN_SECTION))
      );
    case "context": {
      const elements = block["elements"] as Json[];
      return elements.length > 0 && elements.length <= 10 && elements.every((each) => isText(each, 2000, true));
    }
    case "actions": {
      const elements = block["elements"] as Json[];
      const names = elements.map(({ action_id }) => action_id);
      if (elements.length === 0 || elements.length > 25 || new Set(names).size !== names.length) return false;
      return elements.every((each) => isElement(each, IN_ACTIONS));
    }
    case "rich_text":
      return ((block["elements"] ?? []) as Json[]).every((each) =>
        ((each["elements"] ?? []) as Json[]).every(
          ({ type: kind, text }) => kind !== "text" || (typeof text === "string" && text !== ""),
        ),
      );
    case "input":
      return surface === "modal" && isText(block["label"], 2000) && isElement(block["element"] as Json, IN_INPUT);
  }
  return true;
}

function isElement(element: Json, allowed: ReadonlySet<string>): boolean {
  const { type, action_id: id } = element;
  if (!allowed.has(String(type)) || (id !== undefined && String(id).length > 255)) return false;
  switch (type) {
    case "button":
      return isText(element["text"], 75) && String(element["value"] ?? "").length <= 2000;
    case "static_select":
    case "multi_static_select": {
      const options = element["options"] as Json[] | undefined;
      if (!options || options.length === 0 || options.length > 100) return false;
      const values = options.map(({ value }) => String(value));
      if (new Set(values).size !== values.length || values.some((value) => value === "" || value.length > 150))
        return false;
      return isText(element["placeholder"], 150) && options.every(({ text }) => isText(text, 75));
    }
    case "plain_text_input":
      return Number(element["max_length"] ?? 1) >= 1 && Number(element["max_length"] ?? 1) <= 3000;
  }
  return true;
}

function isText(given: unknown, max: number, both = false): boolean {
  const { type, text } = (given ?? {}) as Json;
  if (type !== "plain_text" && !(both && type === "mrkdwn")) return false;
  return typeof text === "string" && text.length > 0 && text.length <= max;
}
