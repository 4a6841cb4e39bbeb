import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldErrorsText,
  fieldPath,
  forbidden,
  invalid,
  required,
  tooMany,
} from "@coxswain/apimachinery/field";
import { trimEndOf } from "@coxswain/apimachinery/text";
import { readCertificates } from "@coxswain/wire/x509";
import type { AccessExpressions } from "../../configuration/access-expressions.js";
import { decodeStrictly } from "../../configuration/decode-configuration.js";
import type { AnonymousOptions } from "../anonymous.js";
import { readClaimMappings } from "./claim-mappings.js";
import { readClaimRules, readUserRules } from "./claim-rules.js";
import { type ClaimsCompiler, createClaimsCompiler } from "./claims-compiler.js";
import type { GivenConfiguration, GivenIssuer, GivenJwt } from "./given-configuration.js";
import type { JwtIssuer } from "./jwt-issuer.js";

export interface AuthenticationConfiguration {
  readonly issuers: readonly JwtIssuer[];
  /** Undefined: it has no settings for anonymous clients. */
  readonly anonymous: AnonymousOptions | undefined;
}

const configurationKind = {
  kind: "AuthenticationConfiguration",
  group: "apiserver.config.k8s.io",
  versions: ["v1", "v1beta1", "v1alpha1"],
};
const mostIssuers = 64;

/**
 * An AuthenticationConfiguration (`--authentication-config`).
 * @param ownIssuers issuers of service account tokens, which nobody else may be
 * @param expressions what compiles expressions; a file with expressions is refused without it
 * @throws with everything that is wrong with it
 */
export function readAuthenticationConfiguration(
  text: string,
  ownIssuers: readonly string[],
  expressions?: AccessExpressions,
): AuthenticationConfiguration {
  if (text === "") throw new Error("empty config data");
  return validateConfiguration(decodeStrictly(text, configurationKind), ownIssuers, expressions);
}

/**
 * @param expressions may be left out where there are none
 * @throws with everything that is wrong with it
 */
export function validateConfiguration(
  { jwt = [], anonymous }: GivenConfiguration,
  ownIssuers: readonly string[],
  expressions?: AccessExpressions,
): AuthenticationConfiguration {
  const errors: FieldError[] = [];
  const path = fieldPath("jwt");
  const issuers: JwtIssuer[] = [];
  if (jwt.length > mostIssuers) errors.push(tooMany(path, jwt.length, mostIssuers));
  else {
    const compiler = createClaimsCompiler(errors, expressions);
    const reading: Reading = { compiler, urls: new Set(), discoveries: new Set(), ownIssuers };
    jwt.forEach((one, at) => issuers.push(readJwt(one, path.index(at), reading)));
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
    issuers,
    anonymous: anonymous
      ? {
          enabled: anonymous.enabled === true,
          paths: (anonymous.conditions ?? []).map((condition) => condition.path ?? ""),
        }
      : undefined,
  };
}

/** A file that is read again may not change the settings for anonymous clients. */
export function checkSameAnonymous(first: AuthenticationConfiguration, now: AuthenticationConfiguration): void {
  if (JSON.stringify(first.anonymous) !== JSON.stringify(now.anonymous))
    throw new Error(fieldErrorsText([forbidden(fieldPath("anonymous"), "changed from initial configuration file")]));
}

interface Reading {
  readonly compiler: ClaimsCompiler;
  readonly urls: Set<string>;
  readonly discoveries: Set<string>;
  readonly ownIssuers: readonly string[];
}

function readJwt(
  { issuer = {}, claimValidationRules = [], claimMappings = {}, userValidationRules = [] }: GivenJwt,
  path: FieldPath,
  { compiler, urls, discoveries, ownIssuers }: Reading,
): JwtIssuer {
  const { errors } = compiler;
  checkIssuer(issuer, path.child("issuer"), ownIssuers, errors);
  const rules = readClaimRules(claimValidationRules, path.child("claimValidationRules"), compiler);
  const mappings = readClaimMappings(claimMappings, path.child("claimMappings"), compiler, rules.claimRules);
  const userRules = readUserRules(userValidationRules, path.child("userValidationRules"), compiler);
  const { url = "", discoveryURL = "", certificateAuthority, audiences = [] } = issuer;
  if (urls.has(url)) errors.push(duplicate(path.child("issuer", "url"), url));
  urls.add(url);
  if (discoveryURL !== "" && discoveries.has(discoveryURL))
    errors.push(duplicate(path.child("issuer", "discoveryURL"), discoveryURL));
  discoveries.add(discoveryURL);
  return {
    url,
    ...(discoveryURL ? { discoveryUrl: discoveryURL } : {}),
    ...(certificateAuthority ? { certificateAuthority } : {}),
    audiences,
    ...rules,
    ...mappings,
    ...userRules,
  };
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
