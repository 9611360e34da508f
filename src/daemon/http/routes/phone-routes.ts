import { refusedForPhone } from "../../../core/config/phone-address.ts";
import { ParleyError } from "../../../core/error.ts";
import type { ConfigFiles } from "../../../machine/settings/config-file.ts";
import type { Notifications } from "../../../notify/notifications.ts";
import type { Browser } from "../../../protocol/page.ts";
import type { PHONE_ENDPOINTS } from "../../../protocol/phone.ts";
import type { PageSessions } from "../page-session.ts";
import type { Routes } from "./route.ts";

type Deps = { sessions: PageSessions; notifications: Notifications; config: ConfigFiles };

/** Phones: pairing them with the page, and what their browsers do about pushes. */
export function createPhoneRoutes({
  sessions,
  notifications,
  config,
}: Deps): Pick<Routes, keyof typeof PHONE_ENDPOINTS> {
  const { push } = notifications;
  const address = async () => (await config.current()).values.web.address;
  const phones = () => sessions.list().filter(({ phone }) => phone);

  return {
    async phoneCode({ body: { name } }) {
      const page = await address();
      if (page === "")
        throw new ParleyError(
          "settings",
          "Say under which address a phone reaches this page: parley phone https://laptop.example.ts.net",
        );
      const refusal = refusedForPhone(page);
      if (refusal !== undefined) throw new ParleyError("settings", `web.address: ${refusal}. See: docs/phone.md`);
      const { code, expiresAt } = sessions.phoneCode(name);
      return { code, expiresAt, address: page, url: `${page}/#code=${code}&phone` };
    },
    async listPhones() {
      const on = push.ids();
      const found = phones().map((phone) => ({ ...phone, push: on.has(phone.id) }));
      return { phones: found, expecting: sessions.isExpectingPhone(), address: await address() };
    },
    async endPhone({ body: { phone: wanted } }) {
      const meant = phones().filter(({ id, name }) => id === wanted || name.toLowerCase() === wanted.toLowerCase());
      for (const { id } of meant) {
        await sessions.end(id);
        await push.drop(id);
      }
      return { revoked: meant.map(({ name }) => name) };
    },
    async pushState({ browser }) {
      const { id, name } = signedIn(browser);
      const { text } = (await config.current()).values.notify.push;
      return { key: await push.key(), on: push.ids().has(id), name, text };
    },
    async pushTo({ browser, body: { subscription } }) {
      await push.subscribe(signedIn(browser), subscription);
      return {};
    },
    async pushReply({ browser, body: { message, option } }) {
      const { id, name } = signedIn(browser);
      const { state, words } = await push.reply({ id, name }, message, option);
      return { state, words };
    },
  };
}

function signedIn(browser: Browser | undefined): Browser {
  if (browser) return browser;
  throw new ParleyError("not_found", "This is about the browser that sends it, and none that is signed in does");
}
