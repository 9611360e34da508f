import { buttonData } from "../chat/button-data.ts";
import type { ChatButton } from "../chat/chat-form.ts";

export function keyboard(ask: string, version: number, buttons: readonly ChatButton[]) {
  return {
    inline_keyboard: buttons.map(({ label, input }) => [
      { text: label, callback_data: buttonData(ask, version, input) },
    ]),
  };
}
