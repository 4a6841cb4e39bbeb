import { compileClaimsExpression, compileUserExpression } from "@coxswain/cel/access";
import { describe, expect, it } from "vitest";
import type { ClaimsExpression, JwtIssuer, UserExpression } from "./jwt-issuer.js";
import { userOfClaims } from "./user-of-claims.js";

const claim = (text: string, returns: "bool" | "any" = "any"): ClaimsExpression => {
  const { compiled, error } = compileClaimsExpression(text, returns);
  if (!compiled) throw new Error(error.detail);
  return compiled;
};
const rule = (text: string, message: string) => ({ condition: claim(text, "bool"), message });
const user = (text: string): UserExpression => {
  const { compiled, error } = compileUserExpression(text);
  if (!compiled) throw new Error(error.detail);
  return compiled;
};

const issuer: JwtIssuer = {
  url: "https://issuer",
  audiences: ["kube"],
  requiredClaims: [],
  username: { claim: "sub", prefix: "x:" },
};
const claims = {
  sub: "jane",
  email: "jane@x.io",
  roles: ["dev", "", "ops"],
  exp: 2000,
  nbf: 1000,
  "x.io/org": { id: 7, tags: [{ name: "a" }] },
};

const cases: { name: string; config: Partial<JwtIssuer>; want: object }[] = [
  {
    name: "a name, groups, a uid and more are made by expressions",
    config: {
      username: claim("claims.sub + '@' + claims.email.split('@')[1]"),
      groups: claim("dyn(claims.roles).map(r, r == '' ? '' : 'role:' + r)"),
      uid: claim("claims.sub"),
      extra: [
        { key: "x.io/role", value: claim("claims.roles[0]") },
        { key: "x.io/none", value: claim("[]") },
      ],
    },
    want: {
      user: { name: "jane@x.io", uid: "jane", groups: ["role:dev", "role:ops"], extra: { "x.io/role": ["dev"] } },
    },
  },
  {
    name: "numbers are doubles, and odd names are escaped",
    config: {
      claimRules: [
        rule("claims.exp - claims.nbf <= 86400", "too long"),
        rule("claims.x__dot__io__slash__org.id == 7.0", "another"),
        rule("dyn(claims.x__dot__io__slash__org.tags).exists(t, t.name == 'a')", "no tag"),
      ],
    },
    want: { user: { name: "x:jane", groups: [] } },
  },
  {
    name: "a group may be one text",
    config: { groups: claim("claims.sub") },
    want: { user: { name: "x:jane", groups: ["jane"] } },
  },
  {
    name: "a name is a text",
    config: { username: claim("claims.exp") },
    want: {
      error: "oidc: error evaluating username claim expression: username claim expression must return a string",
    },
  },
  {
    name: "a name is not empty",
    config: { username: claim("''") },
    want: { error: "oidc: empty username via CEL expression is not allowed" },
  },
  {
    name: "a claim that is not there",
    config: { username: claim("claims.nobody") },
    want: {
      error:
        "oidc: error evaluating username claim expression: expression 'claims.nobody' resulted in error: no such key: nobody",
    },
  },
  {
    name: "groups are texts",
    config: { groups: claim("[1]") },
    want: {
      error: "oidc: error evaluating group claim expression: expression must return a string or a list of strings",
    },
  },
  {
    name: "more is text, too",
    config: { extra: [{ key: "x.io/a", value: claim("true") }] },
    want: {
      error:
        "oidc: error evaluating extra claim expression: true: expression must return a string or a list of strings",
    },
  },
  {
    name: "a rule for claims that does not hold",
    config: { claimRules: [rule("claims.hd == 'x'", "wrong domain")] },
    want: {
      error:
        "oidc: error evaluating claim validation expression: expression 'claims.hd == 'x'' resulted in error: no such key: hd",
    },
  },
  {
    name: "a rule for users that does not hold",
    config: { userRules: [{ condition: user("!user.username.startsWith('x:')"), message: "no x" }] },
    want: {
      error:
        "oidc: error evaluating user info validation rule: validation expression '!user.username.startsWith('x:')' failed: no x",
    },
  },
];

describe("the user of claims, by expressions", () => {
  for (const { name, config, want } of cases)
    it(name, () => expect(userOfClaims(claims, { ...issuer, ...config })).toEqual(want));
});
