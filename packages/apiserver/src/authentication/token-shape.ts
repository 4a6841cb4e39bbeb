import { createPublicKey, type JsonWebKey, X509Certificate } from "node:crypto";
import { isJsonObject } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { goJsonKind } from "@coxswain/apimachinery/text";
import type { JwtClaims } from "@coxswain/wire/jwt";

/** Of a token that has the form of one: a time that cannot be read must not become none. */
export interface TokenParts {
  readonly header: string;
  readonly claims: string;
}

export function partsOf(token: string): TokenParts {
  const [header = "", claims = ""] = token.split(".").map((part) => Buffer.from(part, "base64url").toString());
  return { header, claims };
}

/** Whether upstream's library reads this as a header at all. */
export function isHeader(text: string): boolean {
  try {
    const { alg, kid, jwk, x5c } = JSON.parse(text) as Record<string, unknown>;
    if (repeatedName(text) !== undefined || !isText(alg) || !isText(kid)) return false;
    if (jwk !== undefined) createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
    if (x5c !== undefined) (x5c as readonly string[]).map((der) => new X509Certificate(Buffer.from(der, "base64")));
    return true;
  } catch {
    return false; // whatever it is
  }
}

/** What is wrong with the claims of a service account's token; undefined: nothing. In the words of upstream's library. */
export function claimsError(text: string, claims: JwtClaims): string | undefined {
  const twice = repeatedName(text);
  if (twice !== undefined) return `json: duplicate key '${twice}' in object`;
  const about = getOwn(claims, "kubernetes.io") ?? {};
  return (
    textError(claims, ["iss", "sub", "jti", ...legacyTexts]) ??
    audienceError(getOwn(claims, "aud")) ??
    timeError(claims, ["exp", "nbf", "iat"]) ??
    aboutError(about)
  );
}

const legacyTexts = ["namespace", "secret.name", "service-account.name", "service-account.uid"].map(
  (name) => `kubernetes.io/serviceaccount/${name}`,
);

function aboutError(about: unknown): string | undefined {
  if (!isJsonObject(about)) return misfit(about, "serviceaccount.kubernetes");
  for (const member of ["serviceaccount", "pod", "secret", "node"]) {
    const ref = getOwn(about, member) ?? {};
    const error = isJsonObject(ref) ? textError(ref, ["name", "uid"]) : misfit(ref, "serviceaccount.ref");
    if (error !== undefined) return error;
  }
  return textError(about, ["namespace"]) ?? timeError(about, ["warnafter"]);
}

function textError(object: Readonly<Record<string, unknown>>, members: readonly string[]): string | undefined {
  const wrong = members.map((member) => getOwn(object, member)).find((value) => !isText(value));
  return wrong === undefined ? undefined : misfit(wrong, "string");
}

function timeError(object: Readonly<Record<string, unknown>>, members: readonly string[]): string | undefined {
  const isWrong = (value: unknown): boolean => value !== undefined && value !== null && typeof value !== "number";
  return members.some((member) => isWrong(getOwn(object, member)))
    ? "go-jose/go-jose/jwt: expected number value to unmarshal NumericDate"
    : undefined;
}

const audienceError = (aud: unknown): string | undefined =>
  aud === undefined || typeof aud === "string" || (Array.isArray(aud) && aud.every((one) => typeof one === "string"))
    ? undefined
    : "go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience";

const misfit = (value: unknown, type: string): string =>
  `json: cannot unmarshal ${goJsonKind(value)} into Go value of type ${type}`;
/** Null is none to Go. */
const isText = (value: unknown): boolean => value === undefined || value === null || typeof value === "string";

/** The first name that an object in this JSON has twice: who reads the first and who reads the last would see different tokens. */
function repeatedName(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (const [token, quoted = "", colon] of text.matchAll(/("(?:[^"\\]|\\.)*"?)(\s*:)?|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const name = JSON.parse(quoted) as string;
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}
