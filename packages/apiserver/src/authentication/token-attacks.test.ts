import { createHmac, sign } from "node:crypto";
import { createLogger } from "@coxswain/component/log";
import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { keySet, peekClaims, type SigningKey, signingKey, signToken } from "@coxswain/wire/jwt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createByteRequester } from "../server/in-process/byte-requester.js";
import { createInProcessClient, type InProcessClient } from "../server/in-process/in-process-client.js";

const start = Date.parse("2030-01-01T00:00:00Z");
const issuer = "https://issuer";
const pem = (key: SigningKey): string => key.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
const own = signingKey();
const older = signingKey();
const strangers = signingKey();
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const webSocketProtocol = (token: string): string =>
  `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString("base64url")}`;

describe("tokens, and what is tried with them", () => {
  const clock = createVirtualClock({ startMs: start });
  const written: string[] = [];
  let server: ApiServer;
  let admin: InProcessClient;
  let good: string;
  let claims: Record<string, unknown>;
  beforeAll(async () => {
    const log = createLogger({ clock, sink: (line) => void written.push(line), level: "trace" });
    server = await startApiServer({
      runtime: testRuntime(1, { clock, log }),
      store: createMemoryStore({ runtime: systemRuntime({ clock }) }),
      authentication: {
        tokenFile: "file-token,fred,7,dev\n",
        bootstrapTokens: true,
        serviceAccount: {
          signingKey: pem(own),
          keys: [pem(older)],
          issuers: [issuer, "https://former"],
          maxExpirationSeconds: 7200,
          jwksUri: "https://keys/here",
        },
      },
    });
    admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    await post("/api/v1/namespaces/default/serviceaccounts", {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "a" },
    });
    good = await issue();
    claims = peekClaims(good) as Record<string, unknown>;
  });
  afterAll(() => server.stop());

  const post = (path: string, body: object) =>
    admin.request({ method: "POST", path, body }) as Promise<Record<string, Record<string, unknown>>>;
  const issue = async (spec: object = {}): Promise<string> =>
    (
      await post("/api/v1/namespaces/default/serviceaccounts/a/token", {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec,
      })
    ).status?.token as string;
  const send = async (
    headers: Record<string, string>,
    path = "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    method = "POST",
  ) => {
    const body =
      method === "POST"
        ? new TextEncoder().encode('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}')
        : undefined;
    const answer = await createByteRequester(
      server,
      undefined,
    )({
      method,
      path,
      headers: { "content-type": "application/json", ...headers },
      ...(body ? { body } : {}),
      signal: new AbortController().signal,
    });
    let text = "";
    for await (const chunk of answer.body) text += new TextDecoder().decode(chunk);
    return {
      status: answer.status,
      headers: answer.headers,
      body: JSON.parse(text.startsWith("{") ? text : "{}") as unknown,
    };
  };
  /** The user's name, or the code of a refusal. */
  const whoIs = async (headers: Record<string, string>): Promise<string | number> => {
    const { status, body } = await send(headers);
    return status === 201 ? (body as { status: { userInfo: { username: string } } }).status.userInfo.username : status;
  };
  const bearing = (token: string): Promise<string | number> => whoIs({ authorization: `Bearer ${token}` });
  const account = "system:serviceaccount:default:a";

  const refusal = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "Unauthorized",
    reason: "Unauthorized",
    code: 401,
  };
  it("a good one counts, and a refusal gives no reason", async () => {
    expect(await bearing(good)).toBe(account);
    expect(await send({ authorization: "Bearer nonsense" })).toMatchObject({ status: 401, body: refusal });
  });

  const forged = (more: object, key: SigningKey = own): string => signToken({ ...claims, ...more }, key);
  const now = start / 1000;
  const parts = (): { head: string; body: string; signature: string } => {
    const [head = "", body = "", signature = ""] = good.split(".");
    return { head, body, signature };
  };
  const symmetric = (secret: string): string => {
    const signed = `${part({ alg: "HS256", kid: own.id })}.${parts().body}`;
    return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
  };
  /** With more in its header, and both texts changed before they are signed; all keys are on P-256. */
  const signedAs = (
    more: object,
    change = (text: string): string => text,
    changeHead = (text: string): string => text,
    key: SigningKey = own,
  ): string => {
    const encode = (text: string): string => Buffer.from(text).toString("base64url");
    const signed = `${encode(changeHead(JSON.stringify({ alg: "ES256", kid: own.id, ...more })))}.${encode(change(JSON.stringify(claims)))}`;
    return `${signed}.${sign("sha256", Buffer.from(signed), { key: key.privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
  };
  const attacks: { name: string; token: () => string; is: string | number; error?: string }[] = [
    { name: "of a former issuer", token: () => forged({ iss: "https://former" }), is: account },
    { name: "signed with an older key", token: () => forged({}, older), is: account },
    {
      name: "expired",
      token: () => forged({ exp: now - 61 }),
      is: 401,
      error: "[invalid bearer token, service account token has expired]",
    },
    { name: "expired by less than clocks differ", token: () => forged({ exp: now - 59 }), is: account },
    {
      name: "not yet valid",
      token: () => forged({ nbf: now + 3600 }),
      is: 401,
      error: "[invalid bearer token, service account token is not valid yet]",
    },
    {
      name: "issued in the future",
      token: () => forged({ iat: now + 3600 }),
      is: 401,
      error: "[invalid bearer token, service account token is issued in the future]",
    },
    { name: "of another issuer", token: () => forged({ iss: "https://else" }), is: 401, error: "invalid bearer token" },
    {
      name: "for others",
      token: () => forged({ aud: ["vault"] }),
      is: 401,
      error:
        '[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["https://issuer" "https://former"]]',
    },
    {
      name: "signed with a stranger's key",
      token: () => forged({}, strangers),
      is: 401,
      error: "[invalid bearer token, invalid signature, no keys found]",
    },
    {
      name: "signed with a stranger's key under our key's name",
      token: () => forged({}, { ...strangers, id: own.id }),
      is: 401,
      error: "[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]",
    },
    {
      name: "without a signature, by the algorithm none",
      token: () => `${part({ alg: "none", kid: own.id })}.${parts().body}.`,
      is: 401,
    },
    {
      name: "HS256 with the public key's PEM as secret",
      token: () => symmetric(own.key.export({ type: "spki", format: "pem" }) as string),
      is: 401,
    },
    {
      name: "HS256 with the published key as secret",
      token: () => symmetric(JSON.stringify(keySet([own]).keys[0])),
      is: 401,
    },
    {
      name: "with other claims",
      token: () =>
        `${parts().head}.${part({ ...claims, sub: "system:serviceaccount:kube-system:root" })}.${parts().signature}`,
      is: 401,
    },
    {
      name: "that ends with a text",
      token: () => forged({ exp: String(now + 3600) }),
      is: 401,
      error: "[invalid bearer token, go-jose/go-jose/jwt: expected number value to unmarshal NumericDate]",
    },
    {
      name: "that begins with a text",
      token: () => forged({ nbf: "0" }),
      is: 401,
      error: "[invalid bearer token, go-jose/go-jose/jwt: expected number value to unmarshal NumericDate]",
    },
    {
      name: "that ends beyond all numbers",
      token: () => forged({ exp: 1e300 }),
      is: 401,
      error: "[invalid bearer token, service account token has expired]",
    },
    {
      name: "for a number",
      token: () => forged({ aud: 1 }),
      is: 401,
      error: "[invalid bearer token, go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience]",
    },
    {
      name: "for us and a number",
      token: () => forged({ aud: [1, issuer] }),
      is: 401,
      error: "[invalid bearer token, go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience]",
    },
    {
      name: "of a subject that is a number",
      token: () => forged({ sub: 1 }),
      is: 401,
      error: "[invalid bearer token, json: cannot unmarshal number into Go value of type string]",
    },
    {
      name: "bound to a text",
      token: () => forged({ "kubernetes.io": { ...(claims["kubernetes.io"] as object), pod: "x" } }),
      is: 401,
      error: "[invalid bearer token, json: cannot unmarshal string into Go value of type serviceaccount.ref]",
    },
    {
      name: "about a list",
      token: () => forged({ "kubernetes.io": [] }),
      is: 401,
      error: "[invalid bearer token, json: cannot unmarshal array into Go value of type serviceaccount.kubernetes]",
    },
    {
      name: "that warns after a text",
      token: () => forged({ "kubernetes.io": { ...(claims["kubernetes.io"] as object), warnafter: "x" } }),
      is: 401,
      error: "[invalid bearer token, go-jose/go-jose/jwt: expected number value to unmarshal NumericDate]",
    },
    {
      name: "with a second issuer in other letters",
      token: () => signedAs({}, (text) => text.replace(/}$/, ',"ISS":"https://else"}')),
      is: 401,
      error: "invalid bearer token",
    },
    {
      name: "with a claim twice",
      token: () => signedAs({}, (text) => text.replace('"sub":', '"sub":"a","sub":')),
      is: 401,
      error: "[invalid bearer token, json: duplicate key 'sub' in object]",
    },
    {
      name: "with the algorithm twice",
      token: () => signedAs({}, undefined, (text) => text.replace('"alg":', '"alg":"none","alg":')),
      is: 401,
      error: "invalid bearer token",
    },
    { name: "whose key is a number", token: () => signedAs({ kid: 5 }), is: 401, error: "invalid bearer token" },
    { name: "whose key is null", token: () => signedAs({ kid: null }), is: account },
    {
      name: "that must be understood",
      token: () => signedAs({ crit: ["exp"] }),
      is: 401,
      error: "[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]",
    },
    {
      name: "whose claims are marked as not encoded",
      token: () => signedAs({ crit: ["b64"], b64: false }),
      is: 401,
      error: "[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]",
    },
    {
      name: "that brings a key which is none",
      token: () => signedAs({ jwk: "x" }),
      is: 401,
      error: "invalid bearer token",
    },
    {
      name: "that brings a certificate which is none",
      token: () => signedAs({ x5c: ["AAAA"] }),
      is: 401,
      error: "invalid bearer token",
    },
    {
      name: "that brings a key of its own",
      token: () => signedAs({ jwk: strangers.key.export({ format: "jwk" }) }),
      is: account,
    },
    {
      name: "that brings a key of its own, signed with it",
      token: () => signedAs({ jwk: strangers.key.export({ format: "jwk" }) }, undefined, undefined, strangers),
      is: 401,
      error: "[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]",
    },
    { name: "truncated", token: () => good.slice(0, -10), is: 401 },
    {
      name: "without its signature",
      token: () => `${parts().head}.${parts().body}`,
      is: 401,
      error: "invalid bearer token",
    },
    { name: "with more behind it", token: () => `${good}.${good}`, is: 401, error: "invalid bearer token" },
    { name: "in another spelling", token: () => `${good}=`, is: 401, error: "invalid bearer token" },
    { name: "in JSON", token: () => '{"payload":"e30","signatures":[]}', is: 401, error: "invalid bearer token" },
    {
      name: "huge",
      token: () => `${parts().head}.${part({ ...claims, pad: "x".repeat(500_000) })}.${parts().signature}`,
      is: 401,
    },
    { name: "many dots", token: () => ".".repeat(100_000), is: 401, error: "invalid bearer token" },
    {
      name: "of an account that was made again under the same name",
      token: () => forged({ "kubernetes.io": { namespace: "default", serviceaccount: { name: "a", uid: "other" } } }),
      is: 401,
    },
    {
      name: "of an account that is not there",
      token: () => forged({ "kubernetes.io": { namespace: "default", serviceaccount: { name: "gone", uid: "x" } } }),
      is: 401,
      error: '[invalid bearer token, serviceaccounts "gone" not found]',
    },
    {
      name: "bound to a secret that is gone",
      token: () =>
        forged({ "kubernetes.io": { ...(claims["kubernetes.io"] as object), secret: { name: "gone", uid: "x" } } }),
      is: 401,
      error: "[invalid bearer token, service account token has been invalidated]",
    },
    { name: "that speaks of nobody", token: () => forged({ "kubernetes.io": undefined }), is: 401 },
    {
      name: "named like something that every object has",
      token: () => "__proto__",
      is: 401,
      error: "invalid bearer token",
    },
    { name: "from the file", token: () => "file-token", is: "fred" },
    { name: "from the file, in other letters", token: () => "File-token", is: 401, error: "invalid bearer token" },
  ];
  for (const { name, token, is, error } of attacks) {
    it(name, async () => {
      expect(await bearing(token())).toBe(is);
      const review = (
        await post("/apis/authentication.k8s.io/v1/tokenreviews", {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenReview",
          spec: { token: token() },
        })
      ).status;
      expect(review?.authenticated ?? false).toBe(is !== 401);
      if (error !== undefined) expect(review?.error).toBe(error);
    });
  }

  const headers: { name: string; headers: () => Record<string, string>; is: string | number }[] = [
    { name: "the scheme in any letters", headers: () => ({ authorization: `bEARER ${good}` }), is: account },
    {
      name: "what stands behind the token is nothing",
      headers: () => ({ authorization: `Bearer ${good} x` }),
      is: account,
    },
    { name: "two spaces make it none", headers: () => ({ authorization: `Bearer  ${good}` }), is: 401 },
    { name: "another scheme is no credential", headers: () => ({ authorization: "Basic cm9vdDpyb290" }), is: 401 },
    {
      name: "a token among the protocols of a WebSocket",
      headers: () => ({
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-protocol": `v4.channel.k8s.io, ${webSocketProtocol(good)}`,
      }),
      is: account,
    },
    {
      name: "without a protocol beside it",
      headers: () => ({
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-protocol": webSocketProtocol(good),
      }),
      is: 401,
    },
    {
      name: "two of them",
      headers: () => ({
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-protocol": `x, ${webSocketProtocol(good)}, ${webSocketProtocol("file-token")}`,
      }),
      is: 401,
    },
    {
      name: "where no WebSocket is asked for",
      headers: () => ({ "sec-websocket-protocol": `x, ${webSocketProtocol(good)}` }),
      is: 401,
    },
    {
      name: "one that is no token",
      headers: () => ({
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-protocol": "x, base64url.bearer.authorization.k8s.io.%%%",
      }),
      is: 401,
    },
    {
      name: "names of users in headers",
      headers: () => ({ "x-remote-user": "root", "x-remote-group": "system:masters" }),
      is: 401,
    },
    {
      name: "names of users in headers beside a token",
      headers: () => ({ authorization: `Bearer ${good}`, "x-remote-user": "root", "x-remote-group": "system:masters" }),
      is: account,
    },
    {
      name: "somebody else's name without the right to it",
      headers: () => ({ authorization: `Bearer ${good}`, "impersonate-user": "root" }),
      is: 403,
    },
    {
      name: "a group without the right to it",
      headers: () => ({
        authorization: `Bearer ${good}`,
        "impersonate-user": account,
        "impersonate-group": "system:masters",
      }),
      is: 403,
    },
  ];
  for (const { name, headers: sent, is } of headers) it(name, async () => expect(await whoIs(sent())).toBe(is));

  const strangersPaths: [path: string, status: number][] = [
    ["/livez", 200],
    ["/readyz", 200],
    ["/healthz", 200],
    ["/livez/ping", 401],
    ["//livez", 401],
    ["/livez/", 401],
    ["/LIVEZ", 401],
    ["/api/v1/secrets", 401],
    ["//api/v1/secrets", 401],
    ["/livez/../api/v1/secrets", 401],
    ["/livez%2f..%2fapi/v1/secrets", 401],
    ["/api/v1/%2e%2e/secrets", 401],
    ["/version", 200],
    ["/version/", 401],
    ["/metrics", 401],
    ["/nothing", 401],
  ];
  for (const [path, status] of strangersPaths)
    it(`strangers at ${path}`, async () => expect((await send({}, path, "GET")).status).toBe(status));

  /** Of an account that may do nothing. */
  const escalations: { name: string; path: string; body: object }[] = [
    {
      name: "a role with more rights",
      path: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
      body: { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "x" }, rules: [] },
    },
    { name: "a binding", path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", body: {} },
    {
      name: "a certificate for system:masters",
      path: "/apis/certificates.k8s.io/v1/certificatesigningrequests",
      body: {},
    },
    { name: "a token of another account", path: "/api/v1/namespaces/kube-system/serviceaccounts/root/token", body: {} },
  ];
  for (const { name, path } of escalations) {
    it(`asks for ${name} in vain`, async () => {
      const answer = await send({ authorization: `Bearer ${good}` }, path);
      expect(answer).toMatchObject({
        status: 403,
        body: {
          reason: "Forbidden",
          message: expect.stringContaining(`User "${account}" cannot create resource`) as string,
        },
      });
    });
  }

  it("a token that is bound to a secret ends with it", async () => {
    await post("/api/v1/namespaces/default/secrets", { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } });
    const token = await issue({ boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "s" } });
    expect(await bearing(token)).toBe(account);
    await admin.request({ method: "DELETE", path: "/api/v1/namespaces/default/secrets/s" });
    expect(await bearing(token)).toBe(401);
  });

  it("no token lives longer than is allowed", async () =>
    expect(peekClaims(await issue({ expirationSeconds: 8000 }))?.exp).toBe(now + 7200));

  it("the issuer publishes all its keys, and their address", async () => {
    expect(await admin.request({ method: "GET", path: "/.well-known/openid-configuration" })).toMatchObject({
      issuer,
      jwks_uri: "https://keys/here",
      id_token_signing_alg_values_supported: ["ES256"],
    });
    expect(await admin.request({ method: "GET", path: "/openid/v1/jwks" })).toMatchObject({
      keys: [{ kid: own.id }, { kid: older.id }],
    });
  });

  describe("kept in a secret", () => {
    const uidOf = async (): Promise<string> =>
      (
        (await admin.request({ method: "GET", path: "/api/v1/namespaces/default/serviceaccounts/a" })) as {
          metadata: { uid: string };
        }
      ).metadata.uid;
    const legacy = async (more: object = {}): Promise<string> =>
      signToken(
        {
          iss: "kubernetes/serviceaccount",
          sub: account,
          "kubernetes.io/serviceaccount/namespace": "default",
          "kubernetes.io/serviceaccount/secret.name": "kept",
          "kubernetes.io/serviceaccount/service-account.name": "a",
          "kubernetes.io/serviceaccount/service-account.uid": await uidOf(),
          ...more,
        },
        own,
      );
    const keep = async (token: string, labels: object = {}): Promise<void> => {
      const path = "/api/v1/namespaces/default/secrets/kept";
      await admin.request({ method: "DELETE", path }).catch(() => {});
      await post("/api/v1/namespaces/default/secrets", {
        apiVersion: "v1",
        kind: "Secret",
        type: "kubernetes.io/service-account-token",
        metadata: { name: "kept", labels, annotations: { "kubernetes.io/service-account.name": "a" } },
        data: { token: Buffer.from(token).toString("base64") },
      });
    };
    const labelsOf = async () =>
      (
        (await admin.request({ method: "GET", path: "/api/v1/namespaces/default/secrets/kept" })) as {
          metadata: { labels?: object };
        }
      ).metadata.labels;
    const errorOf = async (token: string) =>
      (
        await post("/apis/authentication.k8s.io/v1/tokenreviews", {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenReview",
          spec: { token },
        })
      ).status?.error;

    it("it counts, and the day of its use is noted", async () => {
      const token = await legacy();
      await keep(token);
      expect(await bearing(token)).toBe(account);
      expect(await labelsOf()).toEqual({ "kubernetes.io/legacy-token-last-used": "2030-01-01" });
      await clock.advance(25 * 3600 * 1000);
      expect(await bearing(token)).toBe(account);
      expect(await labelsOf()).toEqual({ "kubernetes.io/legacy-token-last-used": "2030-01-02" });
    });
    it("one that was marked invalid does not", async () => {
      const token = await legacy();
      await keep(token, { "kubernetes.io/legacy-token-invalid-since": "2029-12-31" });
      expect(await bearing(token)).toBe(401);
      expect(await errorOf(token)).toContain(
        "the token in secret default/kept for service account default/a has been marked invalid.",
      );
      expect(await labelsOf()).toMatchObject({ "kubernetes.io/legacy-token-last-used": "2030-01-02" });
    });
    it("nor does another than the one that is kept", async () => {
      await keep(await legacy({ n: 1 }));
      expect(await errorOf(await legacy())).toBe("[invalid bearer token, Token does not match server's copy]");
    });
    it("nor one whose secret is gone", async () => {
      const token = await legacy();
      await keep(token);
      expect(await bearing(token)).toBe(account);
      await admin.request({ method: "DELETE", path: "/api/v1/namespaces/default/secrets/kept" });
      expect(await bearing(token)).toBe(401);
      expect(await errorOf(token)).toBe("[invalid bearer token, Token has been invalidated]");
    });
    for (const [claim, error] of [
      ["sub", "sub claim is missing"],
      ["kubernetes.io/serviceaccount/namespace", "namespace claim is missing"],
      ["kubernetes.io/serviceaccount/secret.name", "secretName claim is missing"],
    ] as const) {
      it(`nor one without the claim ${claim}`, async () =>
        expect(await errorOf(await legacy({ [claim]: undefined }))).toBe(`[invalid bearer token, ${error}]`));
    }
    it("an account's own list of secrets marks it as generated, which gives a warning", async () => {
      const token = await legacy();
      await keep(token);
      await admin.request({
        method: "PATCH",
        path: "/api/v1/namespaces/default/serviceaccounts/a",
        headers: { "content-type": "application/merge-patch+json" },
        body: { secrets: [{ name: "kept" }] },
      });
      expect((await send({ authorization: `Bearer ${token}` })).headers.warning).toBe(
        '299 - "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens."',
      );
    });
  });

  describe("for nodes that join", () => {
    const make = (name: string, data: Record<string, string>, type = "bootstrap.kubernetes.io/token") =>
      post("/api/v1/namespaces/kube-system/secrets", {
        apiVersion: "v1",
        kind: "Secret",
        type,
        metadata: { name },
        stringData: data,
      });
    const token = (id: string): string => `${id}.0123456789abcdef`;
    const fields = (id: string, more: object = {}): Record<string, string> => ({
      "token-id": id,
      "token-secret": "0123456789abcdef",
      "usage-bootstrap-authentication": "true",
      ...more,
    });
    const cases: {
      id: string;
      fields?: object;
      type?: string;
      sent?: string;
      groups: readonly string[] | undefined;
    }[] = [
      { id: "aaaaaa", groups: ["system:bootstrappers", "system:authenticated"] },
      {
        id: "bbbbbb",
        fields: { "auth-extra-groups": "system:bootstrappers:b,system:bootstrappers:a" },
        groups: ["system:bootstrappers", "system:bootstrappers:a", "system:bootstrappers:b", "system:authenticated"],
      },
      { id: "cccccc", fields: { "auth-extra-groups": "system:masters" }, groups: undefined },
      { id: "dddddd", fields: { "usage-bootstrap-authentication": "false" }, groups: undefined },
      { id: "eeeeee", fields: { expiration: "2029-12-31T00:00:00Z" }, groups: undefined },
      {
        id: "ffffff",
        fields: { expiration: "2031-12-31T00:00:00Z" },
        groups: ["system:bootstrappers", "system:authenticated"],
      },
      { id: "gggggg", fields: { expiration: "soon" }, groups: undefined },
      { id: "hhhhhh", fields: { "token-id": "aaaaaa" }, groups: undefined },
      { id: "iiiiii", type: "Opaque", groups: undefined },
      { id: "jjjjjj", sent: "jjjjjj.0123456789abcdeg", groups: undefined },
    ];
    for (const { id, fields: more = {}, type, sent = token(id), groups } of cases) {
      it(`${id}: ${groups ? "is known" : "is not"}`, async () => {
        await make(`bootstrap-token-${id}`, fields(id, more), type).catch((err: unknown) => {
          if (groups) throw err; // some that would not count cannot even be made
        });
        const { status, body: responseText } = await send({ authorization: `Bearer ${sent}` });
        if (groups)
          expect(responseText).toMatchObject({ status: { userInfo: { username: `system:bootstrap:${id}`, groups } } });
        else expect(status).toBe(401);
      });
    }
  });

  it("none of it was written to the log", () => {
    const all = written.join("");
    expect(all).toContain("credentials do not count");
    for (const secret of [good, good.split(".")[2] ?? "", "file-token", "0123456789abcdef", "cm9vdDpyb290"])
      expect(all).not.toContain(secret);
  });
});
