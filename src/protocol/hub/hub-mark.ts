/** What the hub writes into the page, so that it knows whom it talks to. */
export const HUB_MARK = { attribute: "data-source", value: "hub" } as const;
