import { ParleyError } from "../core/error.ts";
import { assertTmux, tmux } from "../machine/tmux.ts";

/** One pane of one tmux server. `pid` of the server, where known: another one may have taken the socket over. */
export type PaneAddress = { server: string; id: string; pid?: number | undefined };
export type Capture = { text: string; width: number; height: number };
export type KeyName = "Down" | "Up" | "Enter" | "Space" | "Escape" | "n";

export type KeysPane = {
  address: PaneAddress;
  /** Contract: throws when keys would not reach the program in this pane and it alone. */
  capture(): Promise<Capture>;
  key(name: KeyName): Promise<void>;
  /** As it stands, not as names of keys. */
  type(text: string): Promise<void>;
};

const FACTS = [
  "#{pid}",
  "#{pane_id}",
  "#{pane_width}",
  "#{pane_height}",
  "#{pane_dead}",
  "#{pane_in_mode}",
  "#{pane_synchronized}",
  "#{pane_input_off}",
].join(" ");

export async function openPane(address: PaneAddress): Promise<KeysPane> {
  const { server, id } = address;
  if (!/^%\d+$/.test(id)) throw new ParleyError("usage", `"${id}" is not a tmux pane; a pane looks like %3`);
  assertTmux();

  // Facts and picture in one call, so that they belong together.
  async function capture(): Promise<Capture> {
    const out = await tmux(server, "display-message", "-p", "-t", id, FACTS, ";", "capture-pane", "-p", "-t", id);
    const [facts = "", ...lines] = out?.split("\n") ?? [];
    const [pid, found, width, height, dead, mode, together, off] = facts.split(" ");
    if (found !== id) throw new ParleyError("not_found", `The tmux pane ${id} is gone`);
    if (address.pid !== undefined && pid !== String(address.pid))
      throw new ParleyError("not_found", `Another tmux server has taken the place of the one with pane ${id}`);
    const problem = [
      dead === "1" && "the program in it has ended",
      mode !== "0" && "somebody scrolls in it (copy mode)",
      together === "1" && "its keys go to other panes too (synchronize-panes)",
      off === "1" && "it takes no keys (select-pane -d)",
    ].find(Boolean);
    if (problem) throw new ParleyError("not_answerable", `Pane ${id}: ${problem}`);
    return { text: lines.join("\n"), width: Number(width), height: Number(height) };
  }

  async function send(...args: string[]): Promise<void> {
    if ((await tmux(server, "send-keys", "-t", id, ...args)) === undefined)
      throw new ParleyError("not_found", `The tmux pane ${id} is gone`);
  }

  await capture();
  return {
    address,
    capture,
    key: (name) => send(name),
    // tmux takes a semicolon at the end of an argument for the end of its command.
    type: (text) => send("-l", "--", text.replace(/;$/, "\\;")),
  };
}
