import { eventually } from "../patience.ts";
import { createStage } from "../e2e/notify-stage.ts";
import { createPushService, type Played, type PushService } from "./push-service.ts";

type Wanted = { text?: boolean; private?: boolean; more?: string };

/** Notifications with a played push service, and browsers that are signed in and take pushes. */
export async function createPushStage({ text = true, private: isPrivate = true, more = "" }: Wanted = {}) {
  const signed: { id: string; name: string }[] = [];
  const stage = createStage({ browsers: () => signed });
  const service = await createPushService({ now: () => stage.clock.now });
  stage.config(
    `[notify]\nafter_seconds = 0\n${more}[notify.desktop]\nenabled = false\n[notify.push]\ntext = ${text}\nprivate_services = ${isPrivate}\n`,
  );
  return {
    stage,
    service,
    async device(name: string, at: PushService = service) {
      const by = { id: `${name}-${signed.length}`, name };
      signed.push(by);
      const { push } = stage.notifications;
      const { subscription, received, shown, leave } = at.subscribe(await push.key());
      await push.subscribe(by, subscription);
      const gets = (isMeant: (each: Played) => boolean) =>
        eventually((): Played => {
          const found = received.find(isMeant);
          if (!found)
            throw new Error(`not there: ${JSON.stringify(received)} ${JSON.stringify(stage.logged.slice(-3))}`);
          return found;
        });
      return {
        id: by.id,
        received,
        shown,
        leave,
        gets,
        shows: (words: string) => gets(({ title, body }) => `${title} ${body}`.includes(words)),
        signOut: () => void signed.splice(signed.indexOf(by), 1),
        /** Its worker says what was pressed: by its name, or any number. */
        async press(what: string | number, on: Played | undefined = shown()[0]) {
          const action = typeof what === "number" ? what : on?.actions.find(({ title }) => title === what)?.action;
          const { state, words } = await stage.notifications.push.reply(by, on?.message ?? "", Number(action));
          return { state, words };
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}
