import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { peekClaims } from "@coxswain/wire/jwt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient, type InProcessClient } from "../../server/in-process/in-process-client.js";

const account = "/api/v1/namespaces/default/serviceaccounts";
const reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
const issuer = "https://kubernetes.default.svc.cluster.local";

describe("tokens of service accounts", () => {
  const clock = createVirtualClock({ startMs: Date.parse("2030-01-01T00:00:00Z") });
  let server: ApiServer;
  let admin: InProcessClient;
  beforeAll(async () => {
    server = await startApiServer({
      runtime: testRuntime(1, { clock }),
      store: createMemoryStore({ runtime: systemRuntime({ clock }) }),
    });
    admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    await post(account, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "a" } });
  });
  afterAll(() => server.stop());

  const post = (path: string, body: object) =>
    admin.request({ method: "POST", path, body }) as Promise<Record<string, Record<string, unknown>>>;
  const issue = async (spec: object = {}): Promise<string> =>
    (await post(`${account}/a/token`, { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec })).status
      ?.token as string;
  const review = async (token: string, audiences?: string[]) =>
    (
      await post(reviews, {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenReview",
        spec: { token, ...(audiences && { audiences }) },
      })
    ).status;

  it("are accepted again, and name their user", async () => {
    const token = await issue();
    expect(peekClaims(token)).toMatchObject({
      iss: issuer,
      aud: [issuer],
      sub: "system:serviceaccount:default:a",
      iat: 1893456000,
      exp: 1893459600,
      "kubernetes.io": { namespace: "default", serviceaccount: { name: "a" } },
    });
    expect(await review(token)).toMatchObject({
      authenticated: true,
      audiences: [issuer],
      user: {
        username: "system:serviceaccount:default:a",
        groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
        extra: { "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^JTI=/)] },
      },
    });
  });

  it("can be checked with keys that are served with and without a slash behind them", async () => {
    const get = (path: string) => admin.request({ method: "GET", path });
    expect(await get("/openid/v1/jwks/")).toEqual(await get("/openid/v1/jwks"));
  });
  it("are good for their audiences only", async () => {
    const token = await issue({ audiences: ["x", "y"] });
    expect(await review(token)).toMatchObject({
      error: expect.stringContaining("is invalid for the target audiences"),
    });
    expect(await review(token, ["y", "z"])).toMatchObject({ authenticated: true, audiences: ["y"] });
  });

  it("end with the pod that they are bound to", async () => {
    await post("/api/v1/namespaces/default/pods", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { serviceAccountName: "a", nodeName: "n", containers: [{ name: "c", image: "i" }] },
    });
    const token = await issue({
      expirationSeconds: 3607,
      boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "p" },
    });
    expect(peekClaims(token)).toMatchObject({
      exp: 1893456000 + 365 * 24 * 3600,
      "kubernetes.io": { pod: { name: "p" }, node: { name: "n" }, warnafter: 1893459607 },
    });
    expect(await review(token)).toMatchObject({
      user: {
        extra: { "authentication.kubernetes.io/pod-name": ["p"], "authentication.kubernetes.io/node-name": ["n"] },
      },
    });
    await admin.request({ method: "DELETE", path: "/api/v1/namespaces/default/pods/p?gracePeriodSeconds=0" });
    expect(await review(token)).toMatchObject({
      error: "[invalid bearer token, service account token has been invalidated]",
    });
  });

  it("end with their time", async () => {
    const token = await issue({ expirationSeconds: 600 });
    await clock.advance(700_000);
    expect(await review(token)).toMatchObject({ error: "[invalid bearer token, service account token has expired]" });
  });
});
