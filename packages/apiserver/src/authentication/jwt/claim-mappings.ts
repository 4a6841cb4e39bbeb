import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { validateDomainPrefixedPath } from "@coxswain/apimachinery/validation";
import type { ClaimsCompiler } from "./claims-compiler.js";
import type { GivenJwt, GivenMapping } from "./given-configuration.js";
import { type ClaimsExpression, isExpression, type JwtIssuer } from "./jwt-issuer.js";

export type ClaimMappings = Pick<JwtIssuer, "username" | "groups" | "uid" | "extra">;

/** What claims mean. `claimRules`: what is asked of them besides. */
export function readClaimMappings(
  { username = {}, groups = {}, uid = {}, extra = [] }: NonNullable<GivenJwt["claimMappings"]>,
  path: FieldPath,
  compiler: ClaimsCompiler,
  claimRules: JwtIssuer["claimRules"] = [],
): ClaimMappings {
  const { errors } = compiler;
  const name = readMapping(username, path.child("username"), compiler);
  if (!username.claim && !username.expression)
    errors.push(required(path.child("username"), "claim or expression is required"));
  const members = readMapping(groups, path.child("groups"), compiler);
  if (uid.claim && uid.expression)
    errors.push(invalid(path.child("uid"), "", "claim and expression can't both be set"));
  const id =
    uid.claim || (uid.expression ? compiler.claims(uid.expression, "any", path.child("uid", "expression")) : undefined);
  const more = readExtra(extra, path.child("extra"), compiler);
  const others = [...more.map(({ value }) => value), ...claimRules.map(({ condition }) => condition)];
  if (
    isExpression(name) &&
    readsClaim(name, "email") &&
    ![name, ...others].some((one) => readsClaim(one, "email_verified"))
  )
    errors.push(
      invalid(
        path.child("username", "expression"),
        username.expression ?? "",
        "claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression",
      ),
    );
  return {
    username: name ?? { claim: "", prefix: "" },
    ...(members && { groups: members }),
    ...(id && { uid: id }),
    ...(more.length > 0 && { extra: more }),
  };
}

const readsClaim = (expression: ClaimsExpression, claim: string): boolean => expression.reads("claims", claim);

function readMapping(
  { claim = "", expression = "", prefix }: GivenMapping,
  path: FieldPath,
  compiler: ClaimsCompiler,
): JwtIssuer["username"] | undefined {
  const { errors } = compiler;
  if (claim !== "" && expression !== "") {
    errors.push(invalid(path, "", "claim and expression can't both be set"));
    return undefined;
  }
  if (expression !== "") {
    if (prefix !== undefined)
      errors.push(invalid(path.child("prefix"), prefix, "may not be specified when expression is set"));
    return compiler.claims(expression, "any", path.child("expression"));
  }
  if (claim === "") return undefined;
  if (prefix === undefined)
    errors.push(
      required(
        path.child("prefix"),
        "prefix is required when claim is set. It can be set to an empty string to disable prefixing",
      ),
    );
  return { claim, prefix: prefix ?? "" };
}

function readExtra(
  given: NonNullable<NonNullable<GivenJwt["claimMappings"]>["extra"]>,
  path: FieldPath,
  compiler: ClaimsCompiler,
): NonNullable<JwtIssuer["extra"]> {
  const { errors } = compiler;
  const seen = new Set<string>();
  return given.flatMap(({ key = "", valueExpression = "" }, index) => {
    const at = path.index(index);
    append(errors, validateDomainPrefixedPath(key, at.child("key")));
    if (key !== key.toLowerCase()) errors.push(invalid(at.child("key"), key, "must be lowercase"));
    if (isReservedKey(key))
      errors.push(
        invalid(at.child("key"), key, "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use"),
      );
    if (seen.has(key)) {
      errors.push(duplicate(at.child("key"), key));
      return [];
    }
    seen.add(key);
    if (valueExpression === "") {
      errors.push(required(at.child("valueExpression"), ""));
      return [];
    }
    const value = compiler.claims(valueExpression, "any", at.child("valueExpression"));
    return value ? [{ key, value }] : [];
  });
}

function isReservedKey(key: string): boolean {
  const domain = key.slice(0, Math.max(0, key.indexOf("/")));
  return ["kubernetes.io", "k8s.io"].some((name) => domain === name || domain.endsWith(`.${name}`));
}
