import type { Press } from "../../dialog/keys.ts";
import type { Mouse } from "../../dialog/mouse.ts";
import { type Box, placeOf, type Size } from "./draw/box.ts";
import { hitAt } from "./draw/draw-frame.ts";
import type { KeyAction } from "./keys.ts";
import type { Model, Tab } from "./model.ts";

type Deps = {
  model: Model;
  size: () => Size;
  act: (action: KeyAction) => void;
  moved: (move: () => void) => void;
  openTab: (tab: Tab) => void;
  pressed: (press: Press) => void;
};

/** What the mouse does to the inbox. A click selects; on what is selected already it does what Enter does. */
export function createPointing({ model, size, act, moved, openTab, pressed }: Deps) {
  return (mouse: Mouse): void => {
    const hit = hitAt(model, size(), mouse);
    if (mouse.type === "wheel") {
      const isText = hit?.type === "detail" || hit?.type === "option";
      if (!isText) return moved(() => model.cursor().move(mouse.by));
      return void (model.detailTop = Math.max(0, model.detailTop + mouse.by * 3));
    }
    if (!hit) return;
    switch (hit.type) {
      case "tab":
        return openTab(hit.tab);
      case "key":
        return pressed({ type: "key", name: hit.name, text: "", repeat: false });
      case "option":
        return act({ type: "choose", number: hit.number });
      case "row":
        if (model.cursor().index === hit.index) return act({ type: "open" });
        return moved(() => model.cursor().to(hit.index));
      case "detail":
    }
  };
}

export function pointInBox(box: Box, mouse: Mouse, size: Size): void {
  const { top, left } = placeOf(box.render(size), size);
  box.point({ ...mouse, line: mouse.line - top, column: mouse.column - left });
}
