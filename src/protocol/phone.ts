import { z } from "zod";
import { ADDRESSES } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";
import { Browser } from "./page.ts";

/** A browser that was paired as a phone. `push`: it takes pushes. */
export const Phone = Browser.extend({ push: z.boolean() });
export type Phone = z.infer<typeof Phone>;

const short = z.string().min(1).max(200);

export const PHONE_ENDPOINTS = {
  phoneCode: {
    ...ADDRESSES.phoneCode,
    needs: "human",
    about: "A code that pairs one phone with the page, once and within ten minutes",
    body: z.strictObject({ name: z.string().trim().min(1).max(40).optional() }),
    result: z.looseObject({ code: z.string(), expiresAt: z.number(), address: z.string(), url: z.string() }),
  },
  listPhones: {
    ...ADDRESSES.listPhones,
    needs: "human",
    about: "Phones that are paired, and whether a code waits for one",
    result: z.looseObject({ phones: z.array(Phone), expecting: z.boolean(), address: z.string() }),
  },
  endPhone: {
    ...ADDRESSES.endPhone,
    needs: "human",
    about: "A phone, by name or id, is signed out and gets no pushes any more; one that is not paired stays so",
    body: z.strictObject({ phone: short }),
    result: z.looseObject({ revoked: z.array(z.string()) }),
  },
  pushState: {
    ...ADDRESSES.pushState,
    needs: "human",
    about: "For a browser that is signed in: the key to subscribe with, and whether it takes pushes",
    result: z.looseObject({ key: z.string(), on: z.boolean(), name: z.string(), text: z.boolean() }),
  },
  pushTo: {
    ...ADDRESSES.pushTo,
    needs: "human",
    about: "For a browser that is signed in: push to it there, or with null no more",
    body: z.strictObject({
      subscription: z.strictObject({ endpoint: z.string().max(2000), p256dh: short, auth: short }).nullable(),
    }),
    result: z.looseObject({}),
  },
  pushReply: {
    ...ADDRESSES.pushReply,
    needs: "human",
    about: "For a browser that is signed in: a button of a notification was pressed",
    body: z.strictObject({ message: short, option: z.number().int().min(0).max(1000) }),
    result: z.looseObject({ state: z.string(), words: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
