import type { Secret } from "@coxswain/api/core/v1";
import { createSeededRandom } from "@coxswain/runtime/random";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { fixedRootCa } from "../settings/root-ca.js";
import { serviceAccountTokenController } from "./controller.js";
import { isTokenOf, needsOf, tokenType } from "./plan.js";
import { ensureReferencedToken } from "./referenced-token.js";

const encode = (text: string): string => Buffer.from(text).toString("base64");

describe("what a secret lacks", () => {
  const full = { "ca.crt": encode("CA"), namespace: encode("n"), token: encode("t") };
  const rows: { name: string; data?: Record<string, string>; rootCa?: string; needs: unknown }[] = [
    { name: "all", rootCa: "CA", needs: { rootCa: true, namespace: true, token: true } },
    { name: "nothing", data: full, rootCa: "CA", needs: undefined },
    {
      name: "the bundle, which has changed",
      data: full,
      rootCa: "other",
      needs: { rootCa: true, namespace: false, token: false },
    },
    { name: "no bundle where there is none", data: { ...full, "ca.crt": "" }, needs: undefined },
    {
      name: "not the namespace that somebody chose",
      data: { ...full, namespace: encode("custom") },
      rootCa: "CA",
      needs: undefined,
    },
    {
      name: "the namespace",
      data: { "ca.crt": full["ca.crt"], token: full.token },
      rootCa: "CA",
      needs: { rootCa: false, namespace: true, token: false },
    },
    {
      name: "the token",
      data: { ...full, token: "" },
      rootCa: "CA",
      needs: { rootCa: false, namespace: false, token: true },
    },
  ];
  for (const { name, data, rootCa, needs } of rows)
    it(name, () => expect(needsOf(data ? { data } : {}, rootCa)).toEqual(needs));
  it("it is a token of the account with the same name and UID alone", () => {
    const annotations = { "kubernetes.io/service-account.name": "a", "kubernetes.io/service-account.uid": "u" };
    const secret = { type: tokenType, metadata: { annotations } };
    expect(isTokenOf(secret, { name: "a", uid: "u" })).toBe(true);
    expect(isTokenOf(secret, { name: "a", uid: "v" })).toBe(false);
    expect(isTokenOf({ ...secret, type: "Opaque" }, { name: "a", uid: "u" })).toBe(false);
  });
});

describe("the token controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({
      controllers: [serviceAccountTokenController],
      settings: { rootCa: fixedRootCa("CA"), signServiceAccountToken: (claims) => JSON.stringify(claims) },
    });
    await accounts().create({ metadata: { name: "robot" } });
  });
  afterEach(() => cluster.stop());
  const accounts = () => cluster.client.core.v1.serviceaccounts("default");
  const secrets = () => cluster.client.core.v1.secrets("default");
  const create = (name: string, account = "robot") =>
    secrets().create({
      metadata: { name, annotations: { "kubernetes.io/service-account.name": account } },
      type: tokenType,
    });
  const names = async () => (await secrets().list()).items.map(({ metadata }) => metadata?.name);
  const text = ({ data }: Secret, key: string) => Buffer.from(data?.[key] ?? "", "base64").toString();

  it("fills in a token, the namespace and the bundle, again when somebody takes them away", async () => {
    await create("t");
    await cluster.settle();
    const secret = await secrets().get("t");
    const uid = (await accounts().get("robot")).metadata?.uid;
    expect(secret.metadata?.annotations).toHaveProperty(["kubernetes.io/service-account.uid"], uid);
    expect([text(secret, "ca.crt"), text(secret, "namespace")]).toEqual(["CA", "default"]);
    expect(JSON.parse(text(secret, "token"))).toEqual({
      iss: "kubernetes/serviceaccount",
      sub: "system:serviceaccount:default:robot",
      "kubernetes.io/serviceaccount/namespace": "default",
      "kubernetes.io/serviceaccount/secret.name": "t",
      "kubernetes.io/serviceaccount/service-account.name": "robot",
      "kubernetes.io/serviceaccount/service-account.uid": uid,
    });
    await secrets().patch("t", { merge: { data: { token: null } } });
    await cluster.settle();
    expect(text(await secrets().get("t"), "token")).not.toBe("");
  });

  it("deletes tokens with their account, and tokens without one", async () => {
    await create("t");
    await create("stray", "nobody");
    await cluster.settle();
    expect(await names()).toEqual(["t"]);
    await accounts().delete("robot");
    await cluster.settle();
    expect(await names()).toEqual([]);
  });

  it("leaves other secrets alone, and accounts without tokens", async () => {
    await secrets().create({
      metadata: { name: "opaque", annotations: { "kubernetes.io/service-account.name": "nobody" } },
    });
    await accounts().patch("robot", { merge: { secrets: [{ name: "missing" }, { name: "opaque" }] } });
    await cluster.settle();
    expect((await accounts().get("robot")).secrets).toEqual([{ name: "missing" }, { name: "opaque" }]);
    await accounts().delete("robot");
    await cluster.settle();
    expect(await names()).toEqual(["opaque"]);
  });

  it("deletes a token of an older account of the same name", async () => {
    await create("t");
    await cluster.settle();
    cluster.limitWrites(0);
    await accounts().delete("robot");
    await accounts().create({ metadata: { name: "robot" } });
    await cluster.restart();
    await cluster.settle();
    expect(await names()).toEqual([]);
  });

  it("a secret for an account that somebody else has written meanwhile is taken back", async () => {
    const stale = await accounts().get("robot");
    await accounts().patch("robot", { merge: { metadata: { labels: { a: "b" } } } });
    await ensureReferencedToken(stale, {
      client: cluster.client,
      random: createSeededRandom(1),
      sign: () => "token",
      rootCa: () => undefined,
      cachedSecret: () => undefined,
    });
    expect([await names(), (await accounts().get("robot")).secrets]).toEqual([[], undefined]);
  });

  it("removes a deleted secret from the account's list", async () => {
    await create("t");
    await accounts().patch("robot", { merge: { secrets: [{ name: "t" }, { name: "other" }] } });
    await cluster.settle();
    await secrets().delete("t");
    await cluster.settle();
    expect((await accounts().get("robot")).secrets).toEqual([{ name: "other" }]);
  });
});

describe("the token controller where service accounts get secrets, as before 1.24", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({
      controllers: [serviceAccountTokenController],
      settings: { rootCa: fixedRootCa("CA"), signServiceAccountToken: (claims) => JSON.stringify(claims) },
      gates: { LegacyServiceAccountTokenNoAutoGeneration: false },
    });
    await accounts().create({ metadata: { name: "robot" } });
    await cluster.settle();
  });
  afterEach(() => cluster.stop());
  const accounts = () => cluster.client.core.v1.serviceaccounts("default");
  const secrets = () => cluster.client.core.v1.secrets("default");
  const names = async () => (await secrets().list()).items.map(({ metadata }) => metadata?.name ?? "");
  const referred = async () => (await accounts().get("robot")).secrets?.map(({ name }) => name);

  it("an account refers to one secret, which has its token", async () => {
    const [name = "", ...others] = await names();
    expect([name, others]).toEqual([expect.stringMatching(/^robot-token-\w{5}$/), []]);
    expect(await referred()).toEqual([name]);
    const { type, data } = await secrets().get(name);
    expect([type, Object.keys(data ?? {}).sort()]).toEqual([tokenType, ["ca.crt", "namespace", "token"]]);
    expect(JSON.parse(Buffer.from(data?.["token"] ?? "", "base64").toString())).toMatchObject({
      "kubernetes.io/serviceaccount/secret.name": name,
    });
  });

  it("a secret that is deleted is replaced, and other secrets stay in the list", async () => {
    const [before = ""] = await names();
    await accounts().patch("robot", { merge: { secrets: [{ name: "other" }, { name: before }] } });
    await secrets().delete(before);
    await cluster.settle();
    const [after = "", ...others] = await names();
    expect([after === before, others]).toEqual([false, []]);
    expect(await referred()).toEqual(["other", after]);
  });

  it("restarts make no further secret", async () => {
    const before = await names();
    await cluster.restart();
    await cluster.settle();
    expect(await names()).toEqual(before);
  });
});
