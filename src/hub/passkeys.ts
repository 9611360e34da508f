import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { randomBytes } from "node:crypto";
import { ParleyError } from "../core/error.ts";
import type { HubRecords } from "../store/hub/records.ts";
import { createChallenges } from "./challenges.ts";
import { digestOf } from "./digest.ts";

/** Read when the first one signs in: no command and no machine needs it. */
const library = () => import("@simplewebauthn/server");
type Deps = { records: HubRecords; origin: string; now: () => number };
export type Passkeys = ReturnType<typeof createPasskeys>;

/** Members sign in with what their device keeps, for this host name alone. */
export function createPasskeys({ records, origin, now }: Deps) {
  const rpID = new URL(origin).hostname;
  let made: ReturnType<typeof createChallenges> | undefined;
  /** One secret for all hubs of this database: whichever is asked next knows the challenge. */
  const challenges = async () =>
    (made ??= createChallenges(await records.fact("secret", randomBytes(32).toString("base64url")), now));

  return {
    async registerOptions(invite: string, name: string): Promise<object> {
      const { generateRegistrationOptions } = await library();
      return generateRegistrationOptions({
        rpName: "Parley",
        rpID,
        userName: name,
        userDisplayName: name,
        challenge: (await challenges()).make(invite),
        attestationType: "none",
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
    },
    /** Contract: throws when it is not what was asked for. */
    async registered(invite: string, response: unknown) {
      const { verifyRegistrationResponse } = await library();
      const known = await challenges();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: (challenge) => known.until(invite, challenge) !== undefined,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
      }).catch(refuse);
      if (!verified || !registrationInfo) return refuse();
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      return { id, publicKey: Buffer.from(publicKey).toString("base64url"), counter, transports: [...transports] };
    },
    async loginOptions(): Promise<object> {
      const { generateAuthenticationOptions } = await library();
      return generateAuthenticationOptions({
        rpID,
        challenge: (await challenges()).make("login"),
        userVerification: "required",
      });
    },
    /** Contract: throws when it is none of ours. The challenge it answered is for `signIn`, which takes each once. */
    async loggedIn(response: unknown) {
      const { verifyAuthenticationResponse } = await library();
      const { id } = (response ?? {}) as { id?: unknown };
      const passkey = typeof id === "string" && id.length < 2000 ? await records.passkey(id) : undefined;
      if (!passkey) return refuse();
      const known = await challenges();
      let answered = { challenge: "", until: 0 };
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge(challenge) {
          const until = known.until("login", challenge);
          answered = { challenge, until: until ?? 0 };
          return until !== undefined;
        },
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
        credential: {
          id: passkey.id,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
          counter: passkey.counter,
          transports: passkey.transports,
        },
      }).catch(refuse);
      if (!verified) return refuse();
      return {
        passkey: passkey.id,
        counter: authenticationInfo.newCounter,
        challenge: digestOf(answered.challenge),
        until: answered.until,
      };
    },
  };
}

function refuse(cause?: unknown): never {
  throw new ParleyError("unauthorized", "This passkey is not one of this hub, or what it said came too late", {
    cause,
  });
}
