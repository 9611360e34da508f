import type { ServiceItem } from "../../capability/service.ts";
import { CallEvent, Event, Form, FormEnd, Permission } from "./payload.ts";
import { safelyParse } from "../../../core/safely-parse.ts";

const MOST = 500;
type Began = { tool: string; input: unknown };

/** Remembers what calls were given and what forms hold: the events about their end do not say it again. */
export function listen(): (event: unknown) => ServiceItem {
  const calls = new Map<string, Began>();
  const forms = new Map<string, unknown>();

  return (raw) => {
    const event = safelyParse(Event, raw).data;
    const type = event?.type.replace(".v2.", ".").replace(".next.", ".") ?? "";
    if (!event || !/^(?:form|permission|session\.tool)\./.test(type)) return { event: raw };
    if (type.startsWith("form.")) return { event: raw, call: ofForm(event.data) };
    if (type === "permission.asked") {
      const { sessionID = "", source } = safelyParse(Permission, event.data).data ?? {};
      return { event: raw, call: calls.get(nameOf(sessionID, source?.messageID, source?.callID)) };
    }
    return { event: raw, call: ofCall(type, event.data) };
  };

  function ofForm(data: Record<string, unknown>): unknown {
    const made = safelyParse(Form, data["form"]).data;
    if (made) keep(forms, made.id, data["form"]);
    const id = safelyParse(FormEnd, data).data?.id ?? "";
    const known = forms.get(id);
    forms.delete(id);
    return known;
  }

  function ofCall(type: string, data: unknown): Began | undefined {
    const call = safelyParse(CallEvent, data).data;
    if (!call) return undefined;
    const name = nameOf(call.sessionID, call.assistantMessageID, call.callID);
    const known = calls.get(name);
    if (type === "session.tool.success" || type === "session.tool.failed") calls.delete(name);
    else if (call.input !== undefined || call.name !== undefined || call.tool !== undefined)
      keep(calls, name, { tool: call.name ?? call.tool ?? known?.tool ?? "", input: call.input ?? known?.input ?? {} });
    return known;
  }
}

const nameOf = (...parts: (string | undefined)[]): string => JSON.stringify(parts);

function keep<T>(kept: Map<string, T>, name: string, value: T): void {
  kept.set(name, value);
  for (const [oldest] of kept) if (kept.size > MOST) kept.delete(oldest);
}
