import type { Field } from "@coxswain/wire/http1";

/** Of one connection, and not of the message (RFC 9110, section 7.6.1). `Expect` is met here. */
const ofConnection = new Set([
  "connection",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Who may not be taken away by naming them in `Connection`: backends trust them (CVE-2022-31813), or they frame the message. */
const kept = new Set(["host", "content-length", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"]);

/** The lines without those of the connection, whether by their name or because `Connection` names them. */
export function withoutHopByHop(fields: readonly Field[]): Field[] {
  let named: Set<string> | undefined;
  for (const { lower, value } of fields)
    if (lower === "connection")
      for (const one of value.split(",")) {
        const name = one.trim().toLowerCase();
        if (!kept.has(name)) (named ??= new Set()).add(name);
      }
  const left: Field[] = [];
  for (const field of fields) if (!ofConnection.has(field.lower) && !named?.has(field.lower)) left.push(field);
  return left;
}

/** Fields that change how a message is read, or who it is from, mean nothing behind it (RFC 9110, section 6.5.1). */
const notTrailers = new Set([
  ...ofConnection,
  "authorization",
  "content-encoding",
  "content-length",
  "content-range",
  "content-type",
  "cookie",
  "host",
  "set-cookie",
]);

export const forwardedTrailers = (trailers: readonly Field[]): readonly Field[] =>
  trailers.length === 0 ? trailers : trailers.filter(({ lower }) => !notTrailers.has(lower));
