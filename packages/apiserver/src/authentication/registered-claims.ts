import { setOwn } from "@coxswain/apimachinery/own";
import type { JwtClaims } from "@coxswain/wire/jwt";

const registered = new Set(["iss", "sub", "aud", "exp", "iat", "nbf"]);
const times = new Set(["exp", "iat", "nbf"]);
const numberText = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The claims that every token has, as Go reads them into its own structure: in any letters, of several the last, and times also as texts. */
export function registeredClaims(claims: JwtClaims = {}): JwtClaims {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(claims)) {
    const wanted = name.toLowerCase();
    if (!registered.has(wanted) || value === null) continue;
    setOwn(
      read,
      wanted,
      times.has(wanted) && typeof value === "string" && numberText.test(value) ? Number(value) : value,
    );
  }
  return read;
}
