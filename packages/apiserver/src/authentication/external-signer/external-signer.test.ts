import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMetrics } from "@coxswain/component/metrics";
import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createVirtualClock, systemClock } from "@coxswain/runtime/clock";
import { silentLogger } from "@coxswain/runtime/log";
import { createMemoryStore } from "@coxswain/storage/memory";
import { createGrpcServer, GrpcError, type GrpcServer, serveUnary } from "@coxswain/wire/grpc";
import { peekClaims, peekHeader } from "@coxswain/wire/jwt";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createByteRequester } from "../../server/in-process/byte-requester.js";
import { createInProcessClient, type InProcessClient } from "../../server/in-process/in-process-client.js";
import { connectExternalSigner, type ExternalSigner } from "./external-signer.js";
import { signerMethods } from "./rpc.js";

const pairs = new Map<string, { readonly publicKey: KeyObject; readonly privateKey: KeyObject }>(
  ["old", "one", "two"].map((id) => [id, generateKeyPairSync("ec", { namedCurve: "P-256" })]),
);
const der = (id: string): Buffer => pairs.get(id)?.publicKey.export({ type: "spki", format: "der" }) ?? Buffer.alloc(0);
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

const usual = {
  header: { alg: "ES256", kid: "one", typ: "JWT" } as object | string,
  signature: undefined as string | undefined,
  keys: [
    { keyId: "one", key: der("one") },
    { keyId: "old", key: der("old"), excludeFromOidcDiscovery: true },
  ],
  dataTimestamp: { seconds: 1000, nanos: 500_000_000 } as { seconds: number; nanos: number } | undefined,
  refreshHintSeconds: 60,
  maxTokenExpirationSeconds: 7200,
  fails: undefined as GrpcError | undefined,
  fetches: 0,
};

/** A signer as others write one, in a process of its own. */
describe("a signer of service account tokens outside of the server", () => {
  const folder = mkdtempSync(join(tmpdir(), "signer-"));
  const socket = join(folder, "signer.sock");
  let signer = { ...usual };
  let grpc: GrpcServer;
  const serve = (): Promise<GrpcServer> =>
    createGrpcServer({
      listen: { path: socket },
      methods: [
        serveUnary(signerMethods.sign, ({ claims }) => {
          if (signer.fails) throw signer.fails;
          const header = typeof signer.header === "string" ? signer.header : part(signer.header);
          const { kid = "one" } = (typeof signer.header === "string" ? {} : signer.header) as { kid?: string };
          const key = pairs.get(kid)?.privateKey;
          return {
            header,
            signature:
              signer.signature ??
              (key
                ? sign("sha256", Buffer.from(`${header}.${claims}`), { key, dsaEncoding: "ieee-p1363" }).toString(
                    "base64url",
                  )
                : "x"),
          };
        }),
        serveUnary(signerMethods.fetchKeys, () => {
          signer.fetches += 1;
          if (signer.fails) throw signer.fails;
          return {
            keys: signer.keys,
            dataTimestamp: signer.dataTimestamp,
            refreshHintSeconds: signer.refreshHintSeconds,
          };
        }),
        serveUnary(signerMethods.metadata, () => ({ maxTokenExpirationSeconds: signer.maxTokenExpirationSeconds })),
      ],
    });
  beforeAll(async () => void (grpc = await serve()));
  afterAll(async () => {
    await grpc.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => void (signer = { ...usual }));

  const errors: string[] = [];
  const connect = (clock = systemClock, metrics = createMetrics()): Promise<ExternalSigner> =>
    connectExternalSigner({
      socket,
      runtime: systemRuntime({
        clock,
        metrics,
        log: { ...silentLogger, error: (message) => void errors.push(message) },
      }),
    });

  const unfit: [name: string, change: Partial<typeof usual>, why: string][] = [
    ["no keys", { keys: [] }, "found no keys"],
    ["a key without a name", { keys: [{ keyId: "", key: der("one") }] }, 'found invalid public key id ""'],
    ["an endless name", { keys: [{ keyId: "x".repeat(1025), key: der("one") }] }, "found invalid public key id"],
    ["an empty key", { keys: [{ keyId: "one", key: Buffer.alloc(0) }] }, "found empty public key"],
    ["what is no key", { keys: [{ keyId: "one", key: Buffer.from("x") }] }, "while parsing external public keys"],
    ["no word of when to ask again", { refreshHintSeconds: 0 }, "found invalid refresh hint (0s)"],
    ["no time", { dataTimestamp: undefined }, "invalid data timestamp"],
    ["a time that is none", { dataTimestamp: { seconds: 1, nanos: -1 } }, "invalid data timestamp"],
    [
      "lives that are too short",
      { maxTokenExpirationSeconds: 599 },
      "max token life supported by external-jwt-signer (599s) is less than acceptable (min 600s)",
    ],
    [
      "a refusal",
      { fails: new GrpcError("PERMISSION_DENIED", "not you") },
      "while setting up external-jwt-signer: rpc error: code = PermissionDenied desc = not you",
    ],
  ];
  for (const [name, change, why] of unfit) {
    it(`with ${name} does not serve`, async () => {
      Object.assign(signer, change);
      await expect(connect()).rejects.toThrow(why);
    });
  }

  const wrongHeaders: [name: string, change: Partial<typeof usual>, why: string][] = [
    ["no base64", { header: "a b" }, "while validating header: while unwrapping header"],
    ["no JSON", { header: "YQ" }, "while validating header: while parsing header JSON"],
    ["another type", { header: { alg: "ES256", kid: "one", typ: "at+jwt" } }, "while validating header: bad type"],
    ["no key", { header: { alg: "ES256", typ: "JWT" } }, "while validating header: key id missing"],
    [
      "an endless name of a key",
      { header: { alg: "ES256", kid: "x".repeat(1025), typ: "JWT" } },
      "while validating header: key id longer than 1 kb",
    ],
    [
      "a symmetric algorithm",
      { header: { alg: "HS256", kid: "one", typ: "JWT" } },
      'while validating header: bad signing algorithm "HS256"',
    ],
    [
      "a place where a key could be had",
      { header: { alg: "ES256", kid: "one", typ: "JWT", jku: "https://evil" } },
      'while validating header: while parsing header JSON: json: unknown field "jku"',
    ],
    [
      "a key that is over",
      { header: { alg: "ES256", kid: "old", typ: "JWT" } },
      "while validating header: key used for signing JWT (kid: old) is excluded from OIDC discovery docs",
    ],
    ["no signature", { signature: "" }, "empty signature returned"],
    [
      "a failure",
      { fails: new GrpcError("INTERNAL", "no more ink") },
      "while signing jwt: rpc error: code = Internal desc = no more ink",
    ],
  ];
  it("signs no token that others would not take", async () => {
    const metrics = createMetrics();
    const connected = await connect(systemClock, metrics);
    for (const [name, change, why] of wrongHeaders) {
      signer = { ...usual, ...change };
      const failure = await Promise.resolve(connected.sign({ sub: "a" })).catch(
        (err: unknown) => (err as Error).message,
      );
      expect({ name, failure }).toEqual({ name, failure: expect.stringContaining(why) });
    }
    await connected.stop();
    const text = await metrics.text();
    expect(text).toContain('apiserver_externaljwt_sign_request_total{code="unknown-non-grpc"} 9');
    expect(text).toContain('apiserver_externaljwt_sign_request_total{code="Internal"} 1');
    expect(text).toContain("apiserver_externaljwt_fetch_keys_data_timestamp 1000.5");
    expect(text).toContain('apiserver_externaljwt_fetch_keys_request_total{code="OK"} 1');
    expect(text).toContain(
      'apiserver_externaljwt_request_duration_seconds_count{code="OK",method="/v1.ExternalJWTSigner/Metadata"}',
    );
  });

  it("is waited for when it is not there yet", async () => {
    await grpc.close();
    const connecting = connect();
    grpc = await serve();
    await (await connecting).stop();
  });

  it("is asked for its keys at the time that it gave, ten seconds after it failed, and keeps what it had", async () => {
    const clock = createVirtualClock({ startMs: 5_000_000 });
    const connected = await connect(clock);
    const fetched = async (count: number): Promise<void> => {
      while (signer.fetches < count) await new Promise((resolve) => setImmediate(resolve));
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    expect(connected.maxAgeSeconds()).toBe(60);
    signer.fails = new GrpcError("INTERNAL", "asleep");
    await clock.advance(59_000);
    expect({ fetches: signer.fetches, age: connected.maxAgeSeconds() }).toEqual({ fetches: 1, age: 1 });
    await clock.advance(1000);
    await fetched(2);
    expect(connected.published().map(({ id }) => id)).toEqual(["one"]);
    expect(errors.at(-1)).toBe("keys of service account tokens were not fetched again and stay as they were");
    let notified = 0;
    connected.onReplaced(() => (notified += 1));
    signer = {
      ...signer,
      fails: undefined,
      keys: [{ keyId: "two", key: der("two") }, ...usual.keys],
      refreshHintSeconds: 300,
    };
    await clock.advance(10_000);
    await fetched(3);
    expect({ notified, published: connected.published().map(({ id }) => id), age: connected.maxAgeSeconds() }).toEqual({
      notified: 1,
      published: ["two", "one"],
      age: 300,
    });
    await connected.stop();
  });

  describe("of a whole server", () => {
    const clock = createVirtualClock({ startMs: Date.parse("2030-01-01T00:00:00Z") });
    let connected: ExternalSigner;
    let server: ApiServer;
    let admin: InProcessClient;
    beforeEach(async () => {
      connected = await connect();
      server = await startApiServer({
        runtime: testRuntime(1, { clock }),
        store: createMemoryStore({ runtime: systemRuntime({ clock }) }),
        authentication: {
          serviceAccount: { external: connected, maxExpirationSeconds: connected.maxExpirationSeconds },
        },
      });
      admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
      await post("/api/v1/namespaces/default/serviceaccounts", {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name: "a" },
      });
    });
    afterEach(async () => {
      await server.stop();
      await connected.stop();
    });
    const post = (path: string, body: object) =>
      admin.request({ method: "POST", path, body }) as Promise<{ status: { token: string } }>;
    const issue = async (spec: object = {}): Promise<string> =>
      (
        await post("/api/v1/namespaces/default/serviceaccounts/a/token", {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenRequest",
          spec,
        })
      ).status.token;
    const codeFor = async (token: string): Promise<number> =>
      (
        await createByteRequester(
          server,
          undefined,
        )({
          method: "GET",
          path: "/api",
          headers: { authorization: `Bearer ${token}` },
          signal: new AbortController().signal,
        })
      ).status;

    it("signs its tokens, no longer than it allows, and they are known", async () => {
      const token = await issue({ expirationSeconds: 86_400 });
      expect(peekHeader(token)).toEqual(usual.header);
      const { iat, exp, iss } = peekClaims(token) as { iat: number; exp: number; iss: string };
      expect({ life: exp - iat, iss }).toEqual({ life: 7200, iss: "https://kubernetes.default.svc.cluster.local" });
      expect(await codeFor(token)).toBe(200);
      expect(await codeFor(`${token.slice(0, -4)}AAAA`)).toBe(401);
    });
    it("has kubelets' tokens live as long as it allows", async () => {
      await post("/api/v1/namespaces/default/pods", {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p" },
        spec: { serviceAccountName: "a", automountServiceAccountToken: false, containers: [{ name: "c", image: "c" }] },
      });
      const { iat, exp } = peekClaims(
        await issue({ expirationSeconds: 3607, boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "p" } }),
      ) as { iat: number; exp: number };
      expect(exp - iat).toBe(7200);
    });
    it("publishes its keys, without those that are excluded", async () => {
      expect(await admin.request({ method: "GET", path: "/openid/v1/jwks" })).toMatchObject({
        keys: [{ kid: "one", alg: "ES256" }],
      });
      expect(await admin.request({ method: "GET", path: "/.well-known/openid-configuration" })).toMatchObject({
        id_token_signing_alg_values_supported: ["ES256"],
      });
    });
    it("is asked again for a key that is not known, and its tokens end with their key", async () => {
      const first = await issue();
      expect(await codeFor(first)).toBe(200);
      const before = signer.fetches;
      signer = {
        ...signer,
        header: { alg: "ES256", kid: "two", typ: "JWT" },
        keys: [{ keyId: "two", key: der("two") }],
        dataTimestamp: { seconds: 2000, nanos: 0 },
      };
      const second = await issue();
      expect(await codeFor(second)).toBe(200);
      expect(signer.fetches).toBe(before + 1);
      expect(await codeFor(first)).toBe(401);
    });
    it("leaves a request without a token when it does not sign", async () => {
      signer.fails = new GrpcError("UNAVAILABLE", "asleep");
      await expect(issue()).rejects.toMatchObject({
        status: {
          code: 500,
          message:
            "Internal error occurred: failed to generate token: while signing jwt: rpc error: code = Unavailable desc = asleep",
        },
      });
    });
  });
});
