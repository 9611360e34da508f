/** How the page says what only it has, beside its cookie. */
export const PAGE_KEY = { header: "x-parley-page", protocol: "parley" } as const;
