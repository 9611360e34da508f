import { writeSettings } from "../../messengers/kill-at.ts";
import { createPushService, type Played } from "../../messengers/push-service.ts";
import { chatArea } from "./chat.ts";

/** A browser on a phone that takes pushes; its worker presses. */
export const push = chatArea("push", 8, async (program) => {
  const service = await createPushService();
  writeSettings(program, "[notify.push]\ntext = true\nprivate_services = true\n");
  await program.start();
  const { port } = new URL(program.url());
  const made = await program.parley(["phone", `http://localhost:${port}`, "--name", "Pixel", "--json"]);
  const code = (JSON.parse(made.out) as { code: string }).code;
  const entered = await fetch(`${program.url()}/page/enter`, { method: "POST", body: JSON.stringify({ code }) });
  const { key } = (await entered.json()) as { key: string };
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  const headers = { cookie, "x-parley-page": key, "content-type": "application/json" };
  const api = async (method: string, path: string, body?: object) => {
    const given = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await (await fetch(`${program.url()}${path}`, given)).json()) as Record<string, unknown>;
  };
  const phone = service.subscribe(String((await api("GET", "/api/push"))["key"]));
  await api("POST", "/api/push", { subscription: phone.subscription });
  const open = (text: string) => phone.shown().filter(({ title, body }) => `${title} ${body}`.includes(text));
  const optionOf = ({ actions }: Played, label: string) =>
    Number(actions.find(({ title }) => title.includes(label))?.action ?? -1);
  return {
    whenCalled: service.whenCalled,
    open: (text) => open(text).length,
    async press(text, label) {
      const [shown] = open(text);
      if (!shown) return "no";
      const body = { message: shown.message, option: optionOf(shown, label) };
      const { state } = await api("POST", "/api/push/reply", body).catch(() => ({ state: undefined }));
      if (state === undefined) return "no";
      return state === "answered" ? "told" : "kept";
    },
    close: () => service[Symbol.asyncDispose](),
  };
});
