import { STREAMS } from "../../../protocol/address.ts";
import { PAGE_KEY } from "../../../protocol/page-key.ts";
import { pageKey } from "./page-key.ts";

const FIRST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 5000;
type Heard = { seq: number; type: string; ask?: string; task?: string };
type Listener = { event: (event: Heard) => void; state: (isLive: boolean) => void };

/** Events after `seq`, for ever: a lost line is taken up again where it broke. */
export function listen(after: number, { event, state }: Listener): () => void {
  let seq = after;
  let pause = FIRST_PAUSE_MS;
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  connect();

  function connect(): void {
    const protocols = [PAGE_KEY.protocol, `${PAGE_KEY.protocol}.${pageKey()?.key ?? "none"}`];
    socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${STREAMS.websocket}?after=${seq}`, protocols);
    socket.addEventListener("open", () => {
      pause = FIRST_PAUSE_MS;
      state(true);
    });
    socket.addEventListener("message", ({ data }) => {
      const heard = JSON.parse(String(data)) as Heard;
      ({ seq } = heard);
      event(heard);
    });
    socket.addEventListener("close", () => {
      if (closed) return;
      state(false);
      timer = setTimeout(connect, pause);
      pause = Math.min(pause * 1.7, LONGEST_PAUSE_MS);
    });
  }

  return () => {
    closed = true;
    clearTimeout(timer);
    socket?.close();
  };
}
