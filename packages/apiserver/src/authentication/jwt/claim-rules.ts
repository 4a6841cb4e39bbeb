import { duplicate, type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import type { ClaimsCompiler } from "./claims-compiler.js";
import type { GivenJwt } from "./given-configuration.js";
import type { JwtIssuer } from "./jwt-issuer.js";

/** What claims must be. */
export function readClaimRules(
  rules: NonNullable<GivenJwt["claimValidationRules"]>,
  path: FieldPath,
  compiler: ClaimsCompiler,
): Pick<JwtIssuer, "requiredClaims" | "claimRules"> {
  const { errors } = compiler;
  const requiredClaims: JwtIssuer["requiredClaims"][number][] = [];
  const claimRules: NonNullable<JwtIssuer["claimRules"]>[number][] = [];
  const claims = new Set<string>();
  const expressions = new Set<string>();
  rules.forEach(({ claim = "", expression = "", message = "", requiredValue = "" }, index) => {
    const at = path.index(index);
    if (claim !== "" && expression !== "") errors.push(invalid(at, claim, "claim and expression can't both be set"));
    else if (claim === "" && expression === "") errors.push(required(at, "claim or expression is required"));
    else if (claim !== "") {
      if (message !== "") errors.push(invalid(at.child("message"), message, "may not be specified when claim is set"));
      if (claims.has(claim)) errors.push(duplicate(at.child("claim"), claim));
      claims.add(claim);
      requiredClaims.push({ claim, value: requiredValue });
    } else {
      if (requiredValue !== "")
        errors.push(invalid(at.child("requiredValue"), requiredValue, "may not be specified when expression is set"));
      const condition = readOnce(expression, at.child("expression"), { errors, seen: expressions }, () =>
        compiler.claims(expression, "bool", at.child("expression")),
      );
      if (condition) claimRules.push({ condition, message });
    }
  });
  return { requiredClaims, ...(claimRules.length > 0 && { claimRules }) };
}

export function readUserRules(
  rules: NonNullable<GivenJwt["userValidationRules"]>,
  path: FieldPath,
  compiler: ClaimsCompiler,
): Pick<JwtIssuer, "userRules"> {
  const { errors } = compiler;
  const seen = new Set<string>();
  const userRules = rules.flatMap(({ expression = "", message = "" }, index) => {
    const at = path.index(index).child("expression");
    if (expression === "") {
      errors.push(required(at, ""));
      return [];
    }
    const condition = readOnce(expression, at, { errors, seen }, () => compiler.user(expression, at));
    return condition ? [{ condition, message }] : [];
  });
  return userRules.length > 0 ? { userRules } : {};
}

function readOnce<T>(
  expression: string,
  path: FieldPath,
  { errors, seen }: { readonly errors: FieldError[]; readonly seen: Set<string> },
  compile: () => T | undefined,
): T | undefined {
  if (seen.has(expression)) {
    errors.push(duplicate(path, expression));
    return undefined;
  }
  seen.add(expression);
  return compile();
}
