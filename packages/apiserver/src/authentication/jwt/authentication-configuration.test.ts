import * as expressions from "@coxswain/cel/access";
import { describe, expect, it } from "vitest";
import { checkSameAnonymous, readAuthenticationConfiguration } from "./authentication-configuration.js";

const head = { apiVersion: "apiserver.config.k8s.io/v1", kind: "AuthenticationConfiguration" };
const issuer = { url: "https://issuer", audiences: ["kube"] };
const claimMappings = { username: { claim: "sub", prefix: "x:" } };
const read = (given: object) =>
  readAuthenticationConfiguration(JSON.stringify({ ...head, ...given }), ["https://own"], expressions);
/** Of one issuer. */
const readJwt = (given: object) => read({ jwt: [{ issuer, claimMappings, ...given }] });

describe("an AuthenticationConfiguration", () => {
  it("names issuers and what anonymous clients may reach", () =>
    expect(
      read({
        jwt: [
          {
            issuer: { ...issuer, audiences: ["a", "b"], audienceMatchPolicy: "MatchAny" },
            claimMappings: { ...claimMappings, groups: { claim: "groups", prefix: "" }, uid: { claim: "id" } },
            claimValidationRules: [{ claim: "hd", requiredValue: "x" }],
          },
        ],
        anonymous: { enabled: true, conditions: [{ path: "/livez" }] },
      }),
    ).toEqual({
      issuers: [
        {
          url: "https://issuer",
          audiences: ["a", "b"],
          requiredClaims: [{ claim: "hd", value: "x" }],
          username: { claim: "sub", prefix: "x:" },
          groups: { claim: "groups", prefix: "" },
          uid: "id",
        },
      ],
      anonymous: { enabled: true, paths: ["/livez"] },
    }));
  it("may be empty", () => expect(read({})).toEqual({ issuers: [], anonymous: undefined }));

  const wrong: { given: object; error: string }[] = [
    { given: { kind: "Pod" }, error: "expected AuthenticationConfiguration" },
    {
      given: { jwt: [{ issuers: {} }], x: 1 },
      error: 'strict decoding error: unknown field "jwt[0].issuers", unknown field "x"',
    },
    {
      given: { jwt: [{}] },
      error:
        "[jwt[0].issuer.url: Required value, jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required, jwt[0].claimMappings.username: Required value: claim or expression is required]",
    },
    {
      given: {
        jwt: [
          { issuer, claimMappings },
          { issuer, claimMappings },
        ],
      },
      error: 'jwt[1].issuer.url: Duplicate value: "https://issuer"',
    },
    {
      given: { jwt: [{ issuer: { ...issuer, url: "http://u:p@issuer?q#f" }, claimMappings }] },
      error:
        '[jwt[0].issuer.url: Invalid value: "http://u:p@issuer?q#f": URL scheme must be https, jwt[0].issuer.url: Invalid value: "http://u:p@issuer?q#f": URL must not contain a username or password, jwt[0].issuer.url: Invalid value: "http://u:p@issuer?q#f": URL must not contain a query, jwt[0].issuer.url: Invalid value: "http://u:p@issuer?q#f": URL must not contain a fragment]',
    },
    {
      given: { jwt: [{ issuer: { ...issuer, url: "https://own" }, claimMappings }] },
      error: "URL must not overlap with disallowed issuers: [https://own]",
    },
    {
      given: { jwt: [{ issuer: { ...issuer, discoveryURL: "https://issuer/" }, claimMappings }] },
      error: "discoveryURL must be different from URL",
    },
    {
      given: { jwt: [{ issuer: { ...issuer, audiences: ["a", "a"] }, claimMappings }] },
      error:
        '[jwt[0].issuer.audiences[1]: Duplicate value: "a", jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences]',
    },
    {
      given: { jwt: [{ issuer: { ...issuer, certificateAuthority: "x" }, claimMappings }] },
      error:
        'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
    },
    {
      given: { jwt: [{ issuer, claimMappings: { username: { claim: "sub" } } }] },
      error:
        "jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing",
    },
    {
      given: { jwt: [{ issuer, claimMappings: { username: { expression: "claim.sub", prefix: "x" } } }] },
      error:
        "[jwt[0].claimMappings.username.prefix: Invalid value: \"x\": may not be specified when expression is set, jwt[0].claimMappings.username.expression: Invalid value: \"claim.sub\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'claim' (in container '')\n | claim.sub\n | ^]",
    },
    {
      given: {
        jwt: [
          {
            issuer,
            claimMappings,
            claimValidationRules: [{ claim: "a", message: "m" }, { claim: "a" }, {}, { claim: "b", expression: "c" }],
          },
        ],
      },
      error:
        '[jwt[0].claimValidationRules[0].message: Invalid value: "m": may not be specified when claim is set, jwt[0].claimValidationRules[1].claim: Duplicate value: "a", jwt[0].claimValidationRules[2]: Required value: claim or expression is required, jwt[0].claimValidationRules[3]: Invalid value: "b": claim and expression can\'t both be set]',
    },
    {
      given: { anonymous: { enabled: false, conditions: [{ path: "/livez" }] } },
      error: "enabled should be set to true when conditions are defined",
    },
  ];
  for (const { given, error } of wrong)
    it(`reports: ${error.slice(0, 80)}`, () => expect(() => read(given)).toThrow(error));

  it("may not change its settings for anonymous clients", () =>
    expect(() => checkSameAnonymous(read({}), read({ anonymous: { enabled: true } }))).toThrow(
      "anonymous: Forbidden: changed from initial configuration file",
    ));
});

describe("expressions of an AuthenticationConfiguration", () => {
  const email = { username: { expression: "claims.email" } };
  const unverified =
    "claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression";
  const refused = [
    {
      name: "a rule that is no bool",
      given: { claimValidationRules: [{ expression: "1" }] },
      error: 'jwt[0].claimValidationRules[0].expression: Invalid value: "1": must evaluate to bool',
    },
    {
      name: "the same rule twice",
      given: { claimValidationRules: [{ expression: "true" }, { expression: "true", requiredValue: "x" }] },
      error:
        '[jwt[0].claimValidationRules[1].requiredValue: Invalid value: "x": may not be specified when expression is set, jwt[0].claimValidationRules[1].expression: Duplicate value: "true"]',
    },
    {
      name: "a rule for users without an expression",
      given: { userValidationRules: [{ message: "m" }] },
      error: "jwt[0].userValidationRules[0].expression: Required value",
    },
    {
      name: "a field that users do not have",
      given: { userValidationRules: [{ expression: "user.name == ''" }] },
      error:
        "jwt[0].userValidationRules[0].expression: Invalid value: \"user.name == ''\": compilation failed: ERROR: <input>:1:5: undefined field 'name'\n | user.name == ''\n | ....^",
    },
    {
      name: "keys of extra that are Kubernetes' own, twice, or not in lower case",
      given: {
        claimMappings: {
          ...claimMappings,
          extra: [
            { key: "a.k8s.io/B", valueExpression: "claims.a" },
            { key: "x.io/a", valueExpression: "claims.a" },
            { key: "x.io/a", valueExpression: "claims.a" },
            { key: "x.io/b" },
          ],
        },
      },
      error:
        '[jwt[0].claimMappings.extra[0].key: Invalid value: "a.k8s.io/B": must be lowercase, jwt[0].claimMappings.extra[0].key: Invalid value: "a.k8s.io/B": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use, jwt[0].claimMappings.extra[2].key: Duplicate value: "x.io/a", jwt[0].claimMappings.extra[3].valueExpression: Required value]',
    },
    {
      name: "a name from an address that nobody verified",
      given: { claimMappings: email },
      error: `jwt[0].claimMappings.username.expression: Invalid value: "claims.email": ${unverified}`,
    },
  ];
  for (const { name, given, error } of refused)
    it(`are refused: ${name}`, () => expect(() => readJwt(given)).toThrow(new Error(error)));

  const verified = [
    { claimMappings: { username: { expression: "claims.?email_verified.orValue(true) ? claims.email : claims.sub" } } },
    { claimMappings: email, claimValidationRules: [{ expression: "claims.email_verified == true" }] },
    { claimMappings: { ...email, extra: [{ key: "x.io/v", valueExpression: "string(claims.email_verified)" }] } },
  ];
  for (const [at, given] of verified.entries())
    it(`may ask in any of three places whether an address was verified: ${at + 1}`, () =>
      expect(() => readJwt({ claimValidationRules: [], ...given })).not.toThrow(unverified));
});
