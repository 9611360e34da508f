/** `script-src 'self'` and no inline anything: text from a model that slipped through as markup would still not run. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types parley",
];

/** An HTML preview is a model's own page: it may look like something, and do nothing. */
const PREVIEW_POLICY = [
  "sandbox",
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
];

const ALWAYS = {
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "x-robots-tag": "noindex",
};

export const PAGE_HEADERS = {
  ...ALWAYS,
  "content-security-policy": PAGE_POLICY.join("; "),
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};

export const PREVIEW_HEADERS = {
  ...ALWAYS,
  "content-security-policy": PREVIEW_POLICY.join("; "),
  "x-frame-options": "SAMEORIGIN",
  "cache-control": "private, no-store",
  "content-type": "text/html; charset=utf-8",
};
