import { type Policy, sameDemand } from "./hub-policy.ts";

/** A member's passkey. `rpId`: the host name it belongs to; `publicKey`: COSE, base64url. */
export type MemberKey = { id: string; member: string; name: string; publicKey: string; rpId: string };
/** What a hub says of its people and of what it demands. */
export type ToldTrust = { keys: MemberKey[]; policies: Policy[] };
/**
 * What a machine goes by. `waiting`: keys that a person here has not accepted; `dropped`: what the hub does not demand any
 * more, and this machine still does.
 */
export type Trust = { keys: MemberKey[]; policies: Policy[]; waiting: MemberKey[]; dropped: Policy[] };

const isSameKey = (a: MemberKey, b: MemberKey): boolean =>
  a.id === b.id && a.member === b.member && a.publicKey === b.publicKey && a.rpId === b.rpId;

/** When a machine joins it takes what the hub says: whoever joined it chose that hub. */
export const firstTrust = ({ keys, policies }: ToldTrust): Trust => ({
  keys: [...keys],
  policies: [...policies],
  waiting: [],
  dropped: [],
});

/**
 * What a hub says later makes nothing easier: keys it takes away and demands it adds count at once, keys it adds and demands
 * it takes away count when a person on this machine has accepted them. Contract: the names of known keys stay as they were.
 */
export function laterTrust({ keys, policies }: Pick<Trust, "keys" | "policies">, told: ToldTrust): Trust {
  return {
    keys: keys.filter((known) => told.keys.some((key) => isSameKey(key, known))),
    waiting: told.keys.filter((key) => !keys.some((known) => isSameKey(key, known))),
    policies: [...policies, ...told.policies.filter((each) => !policies.some((known) => sameDemand(known, each)))],
    dropped: policies.filter((known) => !told.policies.some((each) => sameDemand(each, known))),
  };
}
