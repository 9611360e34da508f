import { useEffect, useRef, useState } from "preact/hooks";

type Props = {
  action: "decline" | "chat";
  busy: boolean;
  close: () => void;
  send: (message: string) => void;
};
const WORDS = {
  decline: { title: "Decline this question", box: "Reason (optional)", send: "Decline" },
  chat: { title: "Chat about this", box: "What do you want to talk about?", send: "Send" },
};

/** The two ways to end a question without answering it. Never one key alone: it takes a second step to send. */
export function Refuse({ action, busy, close, send }: Props) {
  const [message, setMessage] = useState("");
  const [problem, setProblem] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const words = WORDS[action];

  function submit(): void {
    if (action === "chat" && message.trim() === "") return setProblem(true);
    send(message.trim());
  }

  return (
    <div class="refuse">
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
      {problem && (
        <p class="error" role="alert">
          Say what you want to talk about.
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
