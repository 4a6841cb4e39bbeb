import { isJsonObject } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { goJsonKind } from "@coxswain/apimachinery/text";
import type { JwtClaims } from "@coxswain/wire/jwt";

const texts = ["iss", "sub", "nonce", "at_hash"];

/** What is wrong with claims that every token has in the same form; undefined: nothing. In the words of upstream's library. */
export function malformed(claims: JwtClaims): string | undefined {
  const wrong = (member: string, value: unknown, type: string): string =>
    `oidc: failed to unmarshal claims: json: cannot unmarshal ${goJsonKind(value)} into Go struct field idToken.${member} of type ${type}`;
  for (const member of texts) {
    const value = getOwn(claims, member);
    if (value !== undefined && value !== null && typeof value !== "string") return wrong(member, value, "string");
  }
  for (const member of ["exp", "iat", "nbf"]) {
    const value = getOwn(claims, member);
    if (typeof value === "string")
      return `oidc: failed to unmarshal claims: json: invalid number literal, trying to unmarshal ${JSON.stringify(JSON.stringify(value))} into Number`;
  }
  const audiences = getOwn(claims, "aud");
  if (Array.isArray(audiences)) {
    const unexpected: unknown = audiences.find((one) => one !== null && typeof one !== "string");
    if (unexpected !== undefined) return wrong("aud", unexpected, "string");
  } else if (audiences !== undefined && audiences !== null && typeof audiences !== "string")
    return wrong("aud", audiences, "[]string");
  const names = getOwn(claims, "_claim_names") ?? {};
  const sources = getOwn(claims, "_claim_sources") ?? {};
  if (!isJsonObject(names)) return wrong("_claim_names", names, "map[string]string");
  if (!isJsonObject(sources)) return wrong("_claim_sources", sources, "map[string]oidc.claimSource");
  return Object.values(names).every((source) => getOwn(sources, String(source)) !== undefined)
    ? undefined
    : "oidc: source does not exist";
}
