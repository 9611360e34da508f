import { useEffect, useRef, useState } from "preact/hooks";
import { declineWords, takesWords } from "../../../../core/words/outcome/refusal-words.ts";
import type { AskView } from "../../../../protocol/view.ts";

type Words = { title: string; box?: string; send: string; empty?: string };
type Props = {
  words: Words;
  busy: boolean;
  close: () => void;
  send: (message: string) => void;
};
const CHAT: Words = {
  title: "Chat about this",
  box: "What do you want to talk about?",
  send: "Send",
  empty: "Say what you want to talk about.",
};

export function refuseWords(ask: AskView, action: "decline" | "chat"): Words {
  if (action === "chat") return CHAT;
  const { name = "Decline" } = declineWords(ask) ?? {};
  const title = name === "Deny" ? "Deny this" : "Decline this question";
  return { title, send: name, ...(takesWords(ask) && { box: "Reason (optional)" }) };
}

/** The two ways to end a question without answering it. Never one key alone: it takes a second step to send. */
export function Refuse({ words, busy, close, send }: Props) {
  const [message, setMessage] = useState("");
  const [problem, setProblem] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);

  function submit(): void {
    if (words.empty !== undefined && message.trim() === "") return setProblem(true);
    send(message.trim());
  }

  return (
    <div class="refuse">
      {words.box === undefined ? (
        <p>{words.title}?</p>
      ) : (
        <label>
          {words.title}
          <textarea
            ref={box}
            rows={3}
            maxLength={10_000}
            placeholder={words.box}
            value={message}
            onInput={(event) => (setMessage(event.currentTarget.value), setProblem(false))}
            onKeyDown={(event) => {
              if (event.key === "Escape") return (event.preventDefault(), close());
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              event.stopPropagation();
              submit();
            }}
          />
        </label>
      )}
      {problem && (
        <p class="error" role="alert">
          {words.empty}
        </p>
      )}
      <div class="actions">
        <button class="button primary" type="button" disabled={busy} onClick={submit}>
          {words.send}
        </button>
        <button class="button" type="button" onClick={close}>
          Keep it open
        </button>
      </div>
    </div>
  );
}
