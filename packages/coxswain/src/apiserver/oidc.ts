import { readFileSync } from "node:fs";
import {
  type AccessExpressions,
  type AuthenticationConfiguration,
  type AuthenticationOptions,
  readAuthenticationConfiguration,
  validateConfiguration,
} from "@coxswain/apiserver";
import { isJwtAlgorithm, type JwtAlgorithm, jwtAlgorithms } from "@coxswain/wire/jwt";
import type { AuthenticationFlagOptions } from "./authentication-flags.js";

const readText = (path: string): string => readFileSync(path, "utf8");

/** The configuration of external issuers and of anonymous clients, from the flags or the file. @throws when they do not fit together */
export function configurationFrom(
  options: AuthenticationFlagOptions,
  given: ReadonlySet<string>,
  expressions: AccessExpressions | undefined,
): AuthenticationConfiguration & { readonly algorithms: readonly JwtAlgorithm[] } {
  const isOidc = [...given].some((name) => name.startsWith("oidc-"));
  const { authenticationConfig: file, serviceAccountIssuer: ownIssuers } = options;
  if (file !== undefined) {
    if (isOidc) throw new Error("authentication-config file and oidc-* flags are mutually exclusive");
    const configuration = readConfigurationFile(file, ownIssuers, expressions);
    if (configuration.anonymous && given.has("anonymous-auth"))
      throw new Error(
        "anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file",
      );
    return { ...configuration, algorithms: jwtAlgorithms };
  }
  if (!isOidc) return { issuers: [], anonymous: undefined, algorithms: jwtAlgorithms };
  return { ...fromOidcFlags(options), algorithms: options.oidcSigningAlgs.map(algorithmOf) };
}

export function readConfigurationFile(
  file: string,
  ownIssuers: readonly string[],
  expressions: AccessExpressions | undefined,
): AuthenticationConfiguration {
  try {
    return readAuthenticationConfiguration(readText(file), ownIssuers, expressions);
  } catch (err) {
    throw new Error(`${file}: invalid authentication configuration: ${(err as Error).message}`, { cause: err });
  }
}

function fromOidcFlags(options: AuthenticationFlagOptions): AuthenticationConfiguration {
  const {
    oidcIssuerUrl: url = "",
    oidcClientId: client = "",
    oidcCaFile: ca,
    oidcUsernameClaim: claim,
    oidcUsernamePrefix: prefix = "",
    oidcGroupsClaim: groups,
  } = options;
  if (url === "" || client === "")
    throw new Error("oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set");
  const usernamePrefix = prefix === "-" ? "" : prefix === "" && claim !== "email" ? `${url}#` : prefix;
  const jwt = {
    issuer: { url, audiences: [client], ...(ca === undefined ? {} : { certificateAuthority: readText(ca) }) },
    claimMappings: {
      username: { claim, prefix: usernamePrefix },
      ...(groups === undefined ? {} : { groups: { claim: groups, prefix: options.oidcGroupsPrefix } }),
    },
    claimValidationRules: [...options.oidcRequiredClaim].map(([name, requiredValue]) => ({
      claim: name,
      requiredValue,
    })),
  };
  return validateConfiguration({ jwt: [jwt] }, options.serviceAccountIssuer);
}

function algorithmOf(name: string): JwtAlgorithm {
  if (!isJwtAlgorithm(name)) throw new Error(`oidc: unsupported signing alg: ${JSON.stringify(name)}`);
  return name;
}

/** As `AuthenticationOptions` wants it. */
export const jwtOptions = ({
  issuers,
  algorithms,
}: ReturnType<typeof configurationFrom>): Pick<AuthenticationOptions, "jwt"> =>
  issuers.length === 0 ? {} : { jwt: { issuers, algorithms } };
