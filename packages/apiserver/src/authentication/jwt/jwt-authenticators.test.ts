import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createMetrics } from "@coxswain/component/metrics";
import { systemRuntime } from "@coxswain/runtime";
import { createVirtualClock, systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { keySet, signingKey, signToken } from "@coxswain/wire/jwt";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hashLabel } from "../../metrics/hash-label.js";
import { createTokenCacheMetrics } from "../token-cache-metrics.js";
import { createJwtAuthenticators, type JwtAuthenticators } from "./jwt-authenticators.js";
import type { JwtIssuer } from "./jwt-issuer.js";

const life = { notBefore: Date.now() - 3_600_000, notAfter: Date.now() + 3_600_000, random: systemRandom };
const ca = createAuthority({ ...life, subject: { commonName: "issuer-ca" } });
const identity = createServerIdentity(ca, { ...life, subject: { commonName: "issuer" }, hosts: ["127.0.0.1"] });
const question = { audiences: [], warn: () => {}, annotate: () => {} };
const seconds = (ms: number): number => Math.floor(ms / 1000);

describe("tokens of an issuer outside of the cluster", () => {
  const first = signingKey();
  const second = signingKey();
  let published = [first];
  let asked: string[] = [];
  let keptElsewhere = (): string => "";
  /** An issuer that takes its time with this document. */
  let held: { readonly path: string; readonly until: Promise<void>; readonly onAsked: () => void } | undefined;
  const server = createServer(
    { cert: identity.pem, key: encodePrivateKey(identity.privateKey) },
    (request, response) => {
      asked.push(request.url ?? "");
      if (request.url === "/groups")
        return void response
          .writeHead(request.headers.authorization === "Bearer sesame" ? 200 : 403)
          .end(keptElsewhere());
      const documents: Record<string, object> = {
        "/.well-known/openid-configuration": { issuer: url, jwks_uri: `${url}/keys` },
        "/elsewhere": { issuer: url, jwks_uri: `${url}/keys` },
        "/keys": keySet(published),
      };
      const document = documents[request.url ?? ""];
      const answer = (): void => void response.writeHead(document ? 200 : 404).end(JSON.stringify(document ?? {}));
      if (held?.path !== request.url) return answer();
      held?.onAsked();
      void held?.until.then(answer);
    },
  );
  let url = "";
  const clock = createVirtualClock({ startMs: Date.parse("2030-01-01T00:00:00Z") });
  let issuer: JwtIssuer;
  let authenticators: JwtAuthenticators;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    issuer = {
      url,
      certificateAuthority: ca.pem,
      audiences: ["kube"],
      requiredClaims: [],
      username: { claim: "sub", prefix: "oidc:" },
      groups: { claim: "groups", prefix: "g:" },
    };
  });
  beforeEach(() => {
    published = [first];
    asked = [];
  });
  afterAll(() => {
    authenticators.stop();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });

  const deps = (metrics = createMetrics()) => ({
    runtime: systemRuntime({ clock, metrics }),
    hostname: "here",
    cacheMetrics: createTokenCacheMetrics(metrics, systemClock),
  });
  const claims = (more: object = {}) => ({
    iss: url,
    aud: "kube",
    sub: "jane",
    exp: seconds(clock.now()) + 600,
    ...more,
  });
  const ask = (token: string, changed: Partial<JwtIssuer> = {}) => {
    authenticators?.stop();
    authenticators = createJwtAuthenticators({ issuers: [{ ...issuer, ...changed }] }, deps());
    return authenticators.authenticate(token, question);
  };
  const asJane = { user: { name: "oidc:jane", groups: [] } };

  it("are accepted", async () =>
    expect(await ask(signToken(claims({ groups: ["a", "b"], jti: "7" }), first))).toEqual({
      user: {
        name: "oidc:jane",
        groups: ["g:a", "g:b"],
        extra: { "authentication.kubernetes.io/credential-id": ["JTI=7"] },
      },
    }));
  it("may name a group as a text, and a uid", async () =>
    expect(await ask(signToken(claims({ groups: "a", id: "9" }), first), { uid: "id" })).toEqual({
      user: { name: "oidc:jane", uid: "9", groups: ["g:a"] },
    }));
  it("of others are none of ours", async () =>
    expect(await ask(signToken(claims({ iss: "https://else.where" }), first))).toBeUndefined());
  it("that are none are none of ours", async () => expect(await ask("nonsense")).toBeUndefined());

  it("make the issuer be asked once, and again when it has new keys", async () => {
    const token = signToken(claims(), first);
    expect(await ask(token)).toEqual(asJane);
    expect(await authenticators.authenticate(token, question)).toEqual(asJane);
    expect(await authenticators.authenticate(signToken(claims({ n: 1 }), first), question)).toEqual(asJane);
    expect(asked).toEqual(["/.well-known/openid-configuration", "/keys"]);
    published = [second];
    expect(await authenticators.authenticate(signToken(claims(), second), question)).toEqual(asJane);
    expect(await authenticators.authenticate(token, question)).toMatchObject({
      error: expect.stringContaining("failed to verify id token signature"),
    });
  });

  it("may be signed with another algorithm than the one that the issuer publishes with the key", async () => {
    const rsa = signingKey(
      generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    );
    published = [rsa];
    expect(rsa.algorithm).toBe("RS256");
    expect(await ask(signToken(claims(), { ...rsa, algorithm: "RS512" }))).toEqual(asJane);
  });

  it("are fetched from the configured address", async () => {
    expect(await ask(signToken(claims(), first), { discoveryUrl: `${url}/elsewhere` })).toEqual(asJane);
    expect(asked).toEqual(["/elsewhere", "/keys"]);
  });

  const refused: { name: string; claims?: object; issuer?: Partial<JwtIssuer>; token?: () => string; error: string }[] =
    [
      {
        name: "expired",
        claims: { exp: 1 },
        error: "oidc: token is expired (Token Expiry: 1970-01-01 00:00:01 +0000 UTC)",
      },
      {
        name: "without an end",
        claims: { exp: undefined },
        error: "oidc: token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)",
      },
      { name: "not yet valid", claims: { nbf: 4_000_000_000 }, error: "before the nbf (not before) time" },
      { name: "for somebody else", claims: { aud: ["other"] }, error: 'oidc: expected audience "kube" got ["other"]' },
      {
        name: "for none of several",
        claims: { aud: "c" },
        issuer: { audiences: ["b", "a"] },
        error: 'oidc: expected audience in ["a" "b"] got ["c"]',
      },
      {
        name: "signed with another key",
        token: () => signToken(claims(), second),
        error: "failed to verify signature",
      },
      {
        name: "without a name",
        claims: { sub: undefined },
        error: 'oidc: parse username claims "sub": claim not present',
      },
      {
        name: "with an email that nobody checked",
        claims: { email: "a@b", email_verified: false },
        issuer: { username: { claim: "email", prefix: "" } },
        error: "oidc: email not verified",
      },
      {
        name: "without a claim that is needed",
        issuer: { requiredClaims: [{ claim: "hd", value: "x" }] },
        error: "oidc: required claim hd not present in ID token",
      },
      {
        name: "with another value of it",
        claims: { hd: "y" },
        issuer: { requiredClaims: [{ claim: "hd", value: "x" }] },
        error: "oidc: required claim hd value does not match. Got = y, want = x",
      },
      {
        name: "with groups at an endpoint that is not named",
        claims: { _claim_names: { groups: "x" } },
        error: "oidc: verify token: oidc: source does not exist",
      },
      {
        name: "with groups kept at a source that is not named",
        claims: { _claim_names: { groups: "x" }, _claim_sources: {} },
        error: "oidc: verify token: oidc: source does not exist",
      },
      {
        name: "with sources that are none",
        claims: { _claim_names: { groups: "x" }, _claim_sources: [] },
        error:
          "oidc: failed to unmarshal claims: json: cannot unmarshal array into Go struct field idToken._claim_sources of type map[string]oidc.claimSource",
      },
      {
        name: "with a number for a name",
        claims: { sub: 1 },
        error:
          "oidc: failed to unmarshal claims: json: cannot unmarshal number into Go struct field idToken.sub of type string",
      },
      {
        name: "with a text for its end",
        claims: { exp: "x" },
        error: String.raw`json: invalid number literal, trying to unmarshal "\"x\"" into Number`,
      },
      {
        name: "with a number for a uid",
        claims: { id: 1 },
        issuer: { uid: "id" },
        error: 'oidc: parse uid claim "id": json: cannot unmarshal number into Go value of type string',
      },
      {
        name: "with groups that are none",
        claims: { groups: [1] },
        error: 'oidc: parse groups claim "groups": json: cannot unmarshal array into Go value of type string',
      },
      {
        name: "of an issuer with a certificate of others",
        issuer: { certificateAuthority: createAuthority({ ...life, subject: { commonName: "other" } }).pem },
        error: "oidc: verify token: Get",
      },
    ];
  for (const { name, claims: more = {}, issuer: changed = {}, token, error } of refused) {
    it(`refused: ${name}`, async () =>
      expect(await ask(token?.() ?? signToken(claims(more), first), changed)).toEqual({
        error: expect.stringContaining(error) as string,
      }));
  }

  describe("whose groups are kept elsewhere", () => {
    const token = (access = "sesame") =>
      signToken(
        claims({
          _claim_names: { groups: "x" },
          _claim_sources: { x: { endpoint: `${url}/groups`, access_token: access } },
        }),
        first,
      );
    const cases: { name: string; access?: string; kept?: object | string; groups?: string[]; error?: string }[] = [
      { name: "get them from there", kept: { groups: ["a"] }, groups: ["g:a"] },
      {
        name: "are refused where there is nothing for them",
        access: "mellon",
        error: 'while getting distributed claim "groups": error while getting distributed claim JWT: 403 Forbidden',
      },
      { name: "are refused when there is no token", kept: "nonsense", error: "getting untrusted issuer from endpoint" },
      {
        name: "are refused when it is for others",
        kept: { groups: ["a"], aud: "others" },
        error: 'verify distributed claim token: oidc: expected audience "kube" got ["others"]',
      },
      {
        name: "are refused when it has expired",
        kept: { groups: ["a"], exp: 1 },
        error: "verify distributed claim token: oidc: token is expired",
      },
      { name: "are refused when it returns no groups", kept: {}, error: "did not contain claim: groups" },
      {
        name: "are refused when its issuer cannot be asked",
        kept: { groups: ["a"], iss: "https://127.0.0.1:1" },
        error: "verify distributed claim token: Get",
      },
    ];
    for (const { name, access, kept = {}, groups = [], error } of cases) {
      it(name, async () => {
        keptElsewhere = () => (typeof kept === "string" ? kept : signToken(claims(kept), first));
        expect(await ask(token(access))).toEqual(
          error === undefined
            ? { user: { name: "oidc:jane", groups } }
            : { error: expect.stringMatching(/^oidc: could not expand distributed claims: /) as string },
        );
        if (error !== undefined)
          expect(await authenticators.authenticate(token(access), question)).toEqual({
            error: expect.stringContaining(
              error === "verify distributed claim token: Get" ? "verify distributed claim token" : error,
            ) as string,
          });
      });
    }
    it("ask there once for a while", async () => {
      keptElsewhere = () => signToken(claims({ groups: ["a"] }), first);
      const same = token();
      await ask(same);
      await authenticators.authenticate(same, question);
      expect(asked.filter((path) => path === "/groups")).toHaveLength(1);
    });
    it("do not need them when they name groups themselves", async () =>
      expect(
        await ask(
          signToken(claims({ groups: "own", _claim_names: { groups: "x" }, _claim_sources: { x: {} } }), first),
        ),
      ).toEqual({ user: { name: "oidc:jane", groups: ["g:own"] } }));
  });

  describe("are read as Go reads them (kube-apiserver 1.36.4)", () => {
    const headed = (header: string, body: object | string = claims()): string => {
      const encode = (text: string): string => Buffer.from(text).toString("base64url");
      const signed = `${encode(header)}.${encode(typeof body === "string" ? body : JSON.stringify(body))}`;
      return `${signed}.${sign("sha256", Buffer.from(signed), { key: first.privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
    };
    const head = (more: object = {}): string => JSON.stringify({ alg: "ES256", kid: first.id, ...more });
    const behind = (more: string): string => JSON.stringify(claims()).replace(/}$/, `,${more}}`);
    const cases: [name: string, token: () => string, isTaken: boolean][] = [
      ["a header that is as it should be", () => headed(head()), true],
      ["a key that is null", () => headed(head({ kid: null })), true],
      ["a header that must be understood", () => headed(head({ crit: ["exp"] })), false],
      ["a key in the header that is none", () => headed(head({ jwk: "x" })), false],
      ["a certificate in the header that is none", () => headed(head({ x5c: ["AAAA"] })), false],
      ["an algorithm twice", () => headed(head().replace('"alg":', '"alg":"none","alg":')), false],
      [
        "an end that is a number in a text",
        () => headed(head(), claims({ exp: String(seconds(clock.now()) + 600) })),
        true,
      ],
      ["an end beyond all numbers", () => headed(head(), claims({ exp: 1e300 })), false],
      ["an end in other letters", () => headed(head(), behind('"EXP":1')), false],
      ["an issuer in other letters", () => headed(head(), behind('"ISS":"https://else"')), false],
      ["a number among the audiences", () => headed(head(), claims({ aud: ["kube", 1] })), false],
      [
        "an audience in other letters",
        () => headed(head(), behind('"AUD":"kube"').replace('"aud":"kube"', '"aud":"x"')),
        true,
      ],
    ];
    for (const [name, token, isTaken] of cases)
      it(name, async () =>
        expect(Object.keys((await ask(token())) ?? {})).toEqual(
          isTaken ? ["user"] : expect.not.arrayContaining(["user"]),
        ),
      );
  });
  it("have metrics of the keys that were fetched for them", async () => {
    const metrics = createMetrics();
    const made = createJwtAuthenticators({ issuers: [issuer] }, deps(metrics));
    const token = signToken(claims(), first);
    for (let time = 0; time < 2; time++) expect(await made.authenticate(token, question)).toEqual(asJane);
    published = [];
    await made.authenticate(signToken(claims(), second), question);
    const series = async (): Promise<string[]> =>
      [
        ...(await metrics.text()).matchAll(
          /^apiserver_authentication_jwt_authenticator_jwks_fetch_last_(\w+)\{(.*)\}/gm,
        ),
      ].map(([, name = "", labels = ""]) => `${name} ${labels}`);
    const ofBoth = `jwt_issuer_hash="${hashLabel(url)}"`;
    expect(await series()).toEqual([
      expect.stringMatching(`^key_set_info .*hash="${hashLabel('{"keys":[]}')}".*${ofBoth}`),
      expect.stringMatching(`^timestamp_seconds .*${ofBoth}.*result="success"`),
    ]);
    expect(await metrics.text()).toMatch(
      /token_cache_request_total{status="hit"} 1\nauthentication_token_cache_request_total{status="miss"} 2\n/,
    );
    await made.replace([]);
    expect(await series()).toEqual([]);
    made.stop();
  });
  it("of algorithms that are not allowed are refused", async () => {
    const strict = createJwtAuthenticators({ issuers: [issuer], algorithms: ["RS256"] }, deps());
    expect(await strict.authenticate(signToken(claims(), first), question)).toEqual({
      error: expect.stringContaining(
        'oidc: id token signed with unsupported algorithm, expected ["RS256"] got "ES256"',
      ) as string,
    });
    strict.stop();
  });

  it("that are being verified when the configuration changes are verified to the end", async () => {
    let release = (): void => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    const isAsked = new Promise<void>((onAsked) => (held = { path: "/keys", until, onAsked }));
    const verdict = ask(signToken(claims(), first));
    await isAsked;
    await authenticators.replace([issuer]);
    release();
    held = undefined;
    expect(await verdict).toEqual(asJane);
  });

  it("go by the later of two changes, also when the earlier one takes longer", async () => {
    const token = signToken(claims(), first);
    await ask(token);
    let release = (): void => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    const isAsked = new Promise<void>((onAsked) => (held = { path: "/elsewhere", until, onAsked }));
    const prefixed = (prefix: string): JwtIssuer => ({ ...issuer, username: { claim: "sub", prefix } });
    const earlier = authenticators.replace([{ ...prefixed("earlier:"), discoveryUrl: `${url}/elsewhere` }]);
    await isAsked;
    const later = authenticators.replace([prefixed("later:")]);
    // As much as the later one needs: were it not to wait for the earlier one, it would be in force now, and then no more.
    const others = createJwtAuthenticators({ issuers: [] }, deps());
    for (let i = 0; i < 3; i++) await others.replace([issuer]);
    others.stop();
    release();
    held = undefined;
    await Promise.all([earlier, later]);
    expect(await authenticators.authenticate(token, question)).toEqual({ user: { name: "later:jane", groups: [] } });
  });

  it("of other issuers count once the configuration names them; one that cannot be asked changes nothing", async () => {
    const token = signToken(claims(), first);
    expect(await ask(token)).toEqual(asJane);
    await expect(authenticators.replace([{ ...issuer, discoveryUrl: `${url}/nowhere` }])).rejects.toThrow("404");
    expect(await authenticators.authenticate(token, question)).toEqual(asJane);
    await authenticators.replace([{ ...issuer, username: { claim: "sub", prefix: "new:" } }]);
    expect(await authenticators.authenticate(token, question)).toEqual({ user: { name: "new:jane", groups: [] } });
    await authenticators.replace([]);
    expect(await authenticators.authenticate(token, question)).toBeUndefined();
  });
});
