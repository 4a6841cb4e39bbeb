import { trimEndOf } from "@coxswain/apimachinery/text";
import {
  duplicate,
  type FieldError,
  fieldErrorsText,
  fieldPath,
  type FieldPath,
  forbidden,
  invalid,
  required,
  tooMany,
} from "@coxswain/apimachinery/field";
import { readCertificates } from "@coxswain/wire/x509";
import { decodeStrictly } from "../../configuration/decode-configuration.js";
import type { AnonymousOptions } from "../anonymous.js";
import type { GivenConfiguration, GivenIssuer, GivenJwt, GivenMapping } from "./given-configuration.js";
import type { JwtIssuer, PrefixedClaim } from "./jwt-issuer.js";

export interface AuthenticationConfiguration {
  readonly issuers: readonly JwtIssuer[];
  /** Undefined: it says nothing of strangers. */
  readonly anonymous: AnonymousOptions | undefined;
}

const configurationKind = {
  kind: "AuthenticationConfiguration",
  group: "apiserver.config.k8s.io",
  versions: ["v1", "v1beta1", "v1alpha1"],
};
const mostIssuers = 64;
const needsCel = "expressions are not supported by this server yet";

/**
 * An AuthenticationConfiguration (`--authentication-config`).
 * @param ownIssuers issuers of service account tokens, which nobody else may be
 * @throws with everything that is wrong with it
 */
export function readAuthenticationConfiguration(
  text: string,
  ownIssuers: readonly string[],
): AuthenticationConfiguration {
  if (text === "") throw new Error("empty config data");
  return validateConfiguration(decodeStrictly(text, configurationKind), ownIssuers);
}

/** @throws with everything that is wrong with it */
export function validateConfiguration(
  { jwt = [], anonymous }: GivenConfiguration,
  ownIssuers: readonly string[],
): AuthenticationConfiguration {
  const errors: FieldError[] = [];
  const path = fieldPath("jwt");
  if (jwt.length > mostIssuers) errors.push(tooMany(path, jwt.length, mostIssuers));
  else {
    const urls = new Set<string>();
    const discoveries = new Set<string>();
    jwt.forEach((one, at) => checkJwt(one, path.index(at), { errors, urls, discoveries, ownIssuers }));
  }
  if (anonymous && anonymous.enabled !== true && (anonymous.conditions?.length ?? 0) > 0)
    errors.push(
      invalid(
        fieldPath("anonymous", "conditions"),
        anonymous.conditions?.map(({ path: Path = "" }) => ({ Path })),
        "enabled should be set to true when conditions are defined",
      ),
    );
  const wrong = fieldErrorsText(errors);
  if (wrong !== undefined) throw new Error(wrong);
  return {
    issuers: jwt.map(issuerOf),
    anonymous: anonymous
      ? {
          enabled: anonymous.enabled === true,
          paths: (anonymous.conditions ?? []).map((condition) => condition.path ?? ""),
        }
      : undefined,
  };
}

/** A file that is read again may not say anything else of strangers than at the start. */
export function checkSameAnonymous(first: AuthenticationConfiguration, now: AuthenticationConfiguration): void {
  if (JSON.stringify(first.anonymous) !== JSON.stringify(now.anonymous))
    throw new Error(fieldErrorsText([forbidden(fieldPath("anonymous"), "changed from initial configuration file")]));
}

interface Checking {
  readonly errors: FieldError[];
  readonly urls: Set<string>;
  readonly discoveries: Set<string>;
  readonly ownIssuers: readonly string[];
}

function checkJwt(
  { issuer = {}, claimValidationRules = [], claimMappings = {}, userValidationRules = [] }: GivenJwt,
  path: FieldPath,
  checking: Checking,
): void {
  const { errors, urls, discoveries, ownIssuers } = checking;
  checkIssuer(issuer, path.child("issuer"), ownIssuers, errors);
  checkRules(claimValidationRules, path.child("claimValidationRules"), errors);
  const mappings = path.child("claimMappings");
  checkMapping(claimMappings.username ?? {}, mappings.child("username"), true, errors);
  checkMapping(claimMappings.groups ?? {}, mappings.child("groups"), false, errors);
  if (claimMappings.uid?.claim && claimMappings.uid.expression)
    errors.push(invalid(mappings.child("uid"), "", "claim and expression can't both be set"));
  else if (claimMappings.uid?.expression)
    errors.push(invalid(mappings.child("uid", "expression"), claimMappings.uid.expression, needsCel));
  if ((claimMappings.extra?.length ?? 0) > 0)
    errors.push(invalid(mappings.child("extra"), `${claimMappings.extra?.length ?? 0} expressions`, needsCel));
  if (userValidationRules.length > 0)
    errors.push(invalid(path.child("userValidationRules"), `${userValidationRules.length} expressions`, needsCel));
  const { url = "", discoveryURL = "" } = issuer;
  if (urls.has(url)) errors.push(duplicate(path.child("issuer", "url"), url));
  urls.add(url);
  if (discoveryURL !== "" && discoveries.has(discoveryURL))
    errors.push(duplicate(path.child("issuer", "discoveryURL"), discoveryURL));
  discoveries.add(discoveryURL);
}

function checkIssuer(issuer: GivenIssuer, path: FieldPath, ownIssuers: readonly string[], errors: FieldError[]): void {
  const {
    url = "",
    discoveryURL = "",
    audiences = [],
    audienceMatchPolicy = "",
    certificateAuthority = "",
    egressSelectorType = "",
  } = issuer;
  if (url === "") errors.push(required(path.child("url"), ""));
  else checkUrl(url, ownIssuers, path.child("url"), errors);
  if (discoveryURL !== "") {
    if (url !== "" && trimEndOf(url, "/") === trimEndOf(discoveryURL, "/"))
      errors.push(invalid(path.child("discoveryURL"), discoveryURL, "discoveryURL must be different from URL"));
    checkUrl(discoveryURL, [], path.child("discoveryURL"), errors);
  }
  const ofAudiences = path.child("audiences");
  if (audiences.length === 0) errors.push(required(ofAudiences, `at least one ${ofAudiences.toString()} is required`));
  else {
    audiences.forEach((audience, at) => {
      if (audience === "") errors.push(required(ofAudiences.index(at), ""));
      if (audiences.indexOf(audience) < at) errors.push(duplicate(ofAudiences.index(at), audience));
    });
    if (audiences.length > 1 && audienceMatchPolicy !== "MatchAny")
      errors.push(
        invalid(
          path.child("audienceMatchPolicy"),
          audienceMatchPolicy,
          "audienceMatchPolicy must be MatchAny for multiple audiences",
        ),
      );
    if (audiences.length === 1 && audienceMatchPolicy !== "" && audienceMatchPolicy !== "MatchAny")
      errors.push(
        invalid(
          path.child("audienceMatchPolicy"),
          audienceMatchPolicy,
          "audienceMatchPolicy must be empty or MatchAny for single audience",
        ),
      );
  }
  if (certificateAuthority !== "" && !hasCertificates(certificateAuthority))
    errors.push(
      invalid(
        path.child("certificateAuthority"),
        "<omitted>",
        "data does not contain any valid RSA or ECDSA certificates",
      ),
    );
  if (egressSelectorType !== "")
    errors.push(
      invalid(
        path.child("egressSelectorType"),
        egressSelectorType,
        ["controlplane", "cluster"].includes(egressSelectorType)
          ? "connections of this server go out directly"
          : "egress selector must be either controlplane or cluster",
      ),
    );
}

function checkUrl(text: string, ownIssuers: readonly string[], path: FieldPath, errors: FieldError[]): void {
  if (ownIssuers.includes(text))
    errors.push(
      invalid(path, text, `URL must not overlap with disallowed issuers: [${[...ownIssuers].sort().join(" ")}]`),
    );
  // What cannot be read as a whole has no scheme either.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:") errors.push(invalid(path, text, "URL scheme must be https"));
  if (url && (url.username !== "" || url.password !== ""))
    errors.push(invalid(path, text, "URL must not contain a username or password"));
  if (url && url.search.length > 1) errors.push(invalid(path, text, "URL must not contain a query"));
  if (url && url.hash.length > 1) errors.push(invalid(path, text, "URL must not contain a fragment"));
}

function hasCertificates(pem: string): boolean {
  try {
    return readCertificates(pem).length > 0;
  } catch {
    return false;
  }
}

function checkRules(rules: NonNullable<GivenJwt["claimValidationRules"]>, path: FieldPath, errors: FieldError[]): void {
  const seen = new Set<string>();
  rules.forEach(({ claim = "", expression = "", message = "", requiredValue = "" }, index) => {
    const at = path.index(index);
    if (claim !== "" && expression !== "") errors.push(invalid(at, claim, "claim and expression can't both be set"));
    else if (claim === "" && expression === "") errors.push(required(at, "claim or expression is required"));
    else if (claim !== "") {
      if (message !== "") errors.push(invalid(at.child("message"), message, "may not be specified when claim is set"));
      if (seen.has(claim)) errors.push(duplicate(at.child("claim"), claim));
      seen.add(claim);
    } else {
      if (requiredValue !== "")
        errors.push(invalid(at.child("requiredValue"), requiredValue, "may not be specified when expression is set"));
      errors.push(invalid(at.child("expression"), expression, needsCel));
    }
  });
}

function checkMapping(
  { claim = "", expression = "", prefix }: GivenMapping,
  path: FieldPath,
  isRequired: boolean,
  errors: FieldError[],
): void {
  if (claim !== "" && expression !== "") errors.push(invalid(path, "", "claim and expression can't both be set"));
  else if (claim === "" && expression === "" && isRequired)
    errors.push(required(path, "claim or expression is required"));
  else if (expression !== "") {
    if (prefix !== undefined)
      errors.push(invalid(path.child("prefix"), prefix, "may not be specified when expression is set"));
    errors.push(invalid(path.child("expression"), expression, needsCel));
  } else if (claim !== "" && prefix === undefined)
    errors.push(
      required(
        path.child("prefix"),
        "prefix is required when claim is set. It can be set to an empty string to disable prefixing",
      ),
    );
}

function issuerOf({ issuer = {}, claimValidationRules = [], claimMappings = {} }: GivenJwt): JwtIssuer {
  const { username, groups, uid } = claimMappings;
  return {
    url: issuer.url ?? "",
    ...(issuer.discoveryURL ? { discoveryUrl: issuer.discoveryURL } : {}),
    ...(issuer.certificateAuthority ? { certificateAuthority: issuer.certificateAuthority } : {}),
    audiences: issuer.audiences ?? [],
    requiredClaims: claimValidationRules.map(({ claim = "", requiredValue = "" }) => ({ claim, value: requiredValue })),
    username: prefixed(username),
    ...(groups?.claim ? { groups: prefixed(groups) } : {}),
    ...(uid?.claim ? { uid: uid.claim } : {}),
  };
}

const prefixed = ({ claim = "", prefix = "" }: GivenMapping = {}): PrefixedClaim => ({ claim, prefix });
