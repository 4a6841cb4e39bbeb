/** On every response, refusals included. */
const everywhere = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), usb=()",
  "Cache-Control": "no-store",
} as const;

const common =
  "default-src 'none'; script-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";

/** Styles of the editor's library are elements with this nonce; ours are a file. */
const pagePolicy = (nonce: string): string =>
  `${common}; trusted-types coxswain; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; worker-src 'self'; frame-src 'self'; frame-ancestors 'none'`;

/** The terminal's library writes styles without a nonce, so it has a frame of its own, which can connect to nothing. */
const terminalPolicy = `${common}; trusted-types 'none'; style-src 'self' 'unsafe-inline'; frame-ancestors 'self'`;

export const securityHeaders = (path: string, nonce: string): Readonly<Record<string, string>> => ({
  ...everywhere,
  "Content-Security-Policy": path === "/terminal" ? terminalPolicy : pagePolicy(nonce),
});
