import { getOwn } from "@coxswain/apimachinery/own";
import type { ClaimedUser } from "@coxswain/cel/access";
import type { JwtClaims } from "@coxswain/wire/jwt";
import type { Verdict } from "../authenticator.js";
import { notText } from "../go-words.js";
import { failedRule } from "./failed-rule.js";
import { type ClaimsExpression, isExpression, type JwtIssuer } from "./jwt-issuer.js";

/** The user of a token's claims, by the mappings of the issuer's configuration. */
export function userOfClaims(claims: JwtClaims, issuer: JwtIssuer): Verdict {
  const { claimRules = [], userRules = [] } = issuer;
  try {
    const user: ClaimedUser = {
      username: usernameOf(claims, issuer.username),
      groups: groupsOf(claims, issuer.groups),
      uid: uidOf(claims, issuer.uid),
      extra: extraOf(claims, issuer.extra ?? []),
    };
    checkRequired(claims, issuer.requiredClaims);
    const broken = failedRule(claimRules, claims);
    if (broken !== undefined) throw refusal(`error evaluating claim validation expression: ${broken}`);
    const refused = failedRule(userRules, user);
    if (refused !== undefined) throw refusal(`error evaluating user info validation rule: ${refused}`);
    const { username, uid, groups, extra } = user;
    return {
      user: {
        name: username,
        ...(uid === "" ? {} : { uid }),
        groups,
        ...(Object.keys(extra).length > 0 ? { extra } : {}),
      },
    };
  } catch (error) {
    if (!(error instanceof ClaimsError)) throw error;
    return { error: error.message };
  }
}

/** Claims that lack what the configuration needs. */
class ClaimsError extends Error {}

const refusal = (detail: string): ClaimsError => new ClaimsError(`oidc: ${detail}`);

const notTexts = "expression must return a string or a list of strings";

/** `what`: how errors call it. */
function textOf(expression: ClaimsExpression, claims: JwtClaims, what: string): string {
  const { value, error = `${what} claim expression must return a string` } = expression.evaluate(claims);
  if (typeof value === "string") return value;
  throw refusal(`error evaluating ${what} claim expression: ${error}`);
}

function usernameOf(claims: JwtClaims, source: JwtIssuer["username"]): string {
  if (isExpression(source)) {
    const text = textOf(source, claims, "username");
    if (text === "") throw refusal("empty username via CEL expression is not allowed");
    return text;
  }
  const { claim, prefix } = source;
  const name = getOwn(claims, claim);
  if (typeof name !== "string")
    throw refusal(
      `parse username claims ${JSON.stringify(claim)}: ${name === undefined ? "claim not present" : notText(name)}`,
    );
  if (claim === "email") {
    const verified = getOwn(claims, "email_verified");
    if (verified !== undefined && typeof verified !== "boolean")
      throw refusal("parse 'email_verified' claim: it is not a boolean");
    if (verified === false) throw refusal("email not verified");
  }
  return prefix + name;
}

/** One name or several. */
function groupsOf(claims: JwtClaims, source: JwtIssuer["groups"]): readonly string[] {
  if (source === undefined) return [];
  if (isExpression(source)) {
    const { texts, error = notTexts } = source.evaluateTexts(claims);
    if (!texts) throw refusal(`error evaluating group claim expression: ${error}`);
    return texts;
  }
  const { claim, prefix } = source;
  const found = getOwn(claims, claim);
  if (found === undefined) return [];
  if (typeof found === "string") return [prefix + found];
  if (Array.isArray(found) && found.every((one): one is string => typeof one === "string"))
    return found.map((group) => prefix + group);
  throw refusal(`parse groups claim ${JSON.stringify(claim)}: ${notText(found)}`);
}

function uidOf(claims: JwtClaims, source: JwtIssuer["uid"]): string {
  if (source === undefined) return "";
  if (typeof source !== "string") return textOf(source, claims, "uid");
  const id = getOwn(claims, source);
  if (typeof id === "string") return id;
  throw refusal(`parse uid claim ${JSON.stringify(source)}: ${id === undefined ? "claim not present" : notText(id)}`);
}

function extraOf(claims: JwtClaims, sources: NonNullable<JwtIssuer["extra"]>): Record<string, readonly string[]> {
  const jti = getOwn(claims, "jti");
  const extra: Record<string, readonly string[]> =
    typeof jti === "string" && jti !== "" ? { "authentication.kubernetes.io/credential-id": [`JTI=${jti}`] } : {};
  for (const { key, value } of sources) {
    const { texts, error } = value.evaluateTexts(claims);
    if (error !== undefined) throw new ClaimsError(error); // upstream reports no more than this here
    if (!texts) throw refusal(`error evaluating extra claim expression: ${value.expression}: ${notTexts}`);
    if (texts.length > 0) extra[key] = texts; // keys are checked: they have a domain
  }
  return extra;
}

function checkRequired(claims: JwtClaims, requiredClaims: JwtIssuer["requiredClaims"]): void {
  for (const { claim, value } of requiredClaims) {
    const found = getOwn(claims, claim);
    if (found === undefined) throw refusal(`required claim ${claim} not present in ID token`);
    if (typeof found !== "string") throw refusal(`parse claim ${claim}: ${notText(found)}`);
    if (found !== value) throw refusal(`required claim ${claim} value does not match. Got = ${found}, want = ${value}`);
  }
}
