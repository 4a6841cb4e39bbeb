import { getOwn } from "@coxswain/apimachinery/own";
import type { JwtClaims } from "@coxswain/wire/jwt";
import type { Verdict } from "../authenticator.js";
import { notText } from "../go-words.js";
import type { JwtIssuer } from "./jwt-issuer.js";

/** Whom the claims of a token speak of, by what the issuer's configuration says they mean. */
export function userOfClaims(claims: JwtClaims, issuer: JwtIssuer): Verdict {
  const { username, groups, uid, requiredClaims } = issuer;
  const name = getOwn(claims, username.claim);
  if (name === undefined)
    return { error: `oidc: parse username claims ${JSON.stringify(username.claim)}: claim not present` };
  if (typeof name !== "string")
    return { error: `oidc: parse username claims ${JSON.stringify(username.claim)}: ${notText(name)}` };
  if (username.claim === "email") {
    const verified = getOwn(claims, "email_verified");
    if (verified !== undefined && typeof verified !== "boolean")
      return { error: "oidc: parse 'email_verified' claim: it is not a boolean" };
    if (verified === false) return { error: "oidc: email not verified" };
  }
  const members = groups ? groupsOf(claims, groups.claim) : [];
  if (typeof members === "string") return { error: members };
  const id = uid === undefined ? "" : getOwn(claims, uid);
  if (typeof id !== "string")
    return {
      error: `oidc: parse uid claim ${JSON.stringify(uid)}: ${id === undefined ? "claim not present" : notText(id)}`,
    };
  for (const { claim, value } of requiredClaims) {
    const found = getOwn(claims, claim);
    if (found === undefined) return { error: `oidc: required claim ${claim} not present in ID token` };
    if (typeof found !== "string") return { error: `oidc: parse claim ${claim}: ${notText(found)}` };
    if (found !== value)
      return { error: `oidc: required claim ${claim} value does not match. Got = ${found}, want = ${value}` };
  }
  const jti = getOwn(claims, "jti");
  return {
    user: {
      name: username.prefix + name,
      ...(id === "" ? {} : { uid: id }),
      groups: members.map((group) => (groups?.prefix ?? "") + group),
      ...(typeof jti === "string" && jti !== ""
        ? { extra: { "authentication.kubernetes.io/credential-id": [`JTI=${jti}`] } }
        : {}),
    },
  };
}

/** One name or several; a text is what is wrong with them. */
function groupsOf(claims: JwtClaims, claim: string): readonly string[] | string {
  const found = getOwn(claims, claim);
  if (found === undefined) return [];
  if (typeof found === "string") return [found];
  if (Array.isArray(found) && found.every((one): one is string => typeof one === "string")) return found;
  return `oidc: parse groups claim ${JSON.stringify(claim)}: ${notText(found)}`;
}
