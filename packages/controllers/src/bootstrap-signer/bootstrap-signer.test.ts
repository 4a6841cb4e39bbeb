import type { Secret } from "@coxswain/api/core/v1";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { bootstrapSignerController } from "./controller.js";
import { detachedSignature, signingToken } from "./plan.js";

const token = (id: string, members: Record<string, string> = {}): Secret => ({
  metadata: { name: `bootstrap-token-${id}` },
  type: "bootstrap.kubernetes.io/token",
  data: Object.fromEntries(
    Object.entries({
      "token-id": id,
      "token-secret": "0123456789abcdef",
      "usage-bootstrap-signing": "true",
      ...members,
    }).map(([key, value]) => [key, btoa(value)]),
  ),
});

describe("which tokens sign", () => {
  const now = Date.UTC(2026, 0, 1);
  const rows: { name: string; secret: Secret; signs: boolean }[] = [
    { name: "one that is for signing", secret: token("abcdef"), signs: true },
    {
      name: "not one that is not for signing",
      secret: token("abcdef", { "usage-bootstrap-signing": "no" }),
      signs: false,
    },
    { name: "not one without a secret", secret: token("abcdef", { "token-secret": "" }), signs: false },
    { name: "not one with the id of another", secret: token("abcdef", { "token-id": "uvwxyz" }), signs: false },
    { name: "not one that has expired", secret: token("abcdef", { expiration: "2025-12-31T00:00:00Z" }), signs: false },
    { name: "not one with another kind of name", secret: token("ABC"), signs: false },
    { name: "not a secret of another type", secret: { ...token("abcdef"), type: "Opaque" }, signs: false },
  ];
  for (const row of rows) it(row.name, () => expect(signingToken(row.secret, now) !== undefined).toBe(row.signs));
});

it("a signature is the one that upstream makes", () =>
  expect(
    detachedSignature("Hello from the other side. I must have called a thousand times.", {
      id: "joshua",
      secret: "my voice is my passcode",
    }),
  ).toBe("eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8"));

describe("the bootstrap signer", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it("signs cluster-info with each token, and takes signatures of deleted ones away, also across a restart", async () => {
    // Off by default upstream: here it is asked for.
    cluster = await startTestCluster({ controllers: [{ ...bootstrapSignerController, isOnByDefault: true }] });
    const secrets = cluster.client.core.v1.secrets("kube-system");
    const configMaps = cluster.client.core.v1.configmaps("kube-public");
    const keys = async () => Object.keys((await configMaps.get("cluster-info")).data ?? {}).sort();
    await configMaps.create({ metadata: { name: "cluster-info" }, data: { kubeconfig: "content" } });
    await secrets.create(token("abcdef"));
    await secrets.create(token("uvwxyz"));
    await cluster.settle();
    expect(await keys()).toEqual(["jws-kubeconfig-abcdef", "jws-kubeconfig-uvwxyz", "kubeconfig"]);
    const restarted = cluster.restart();
    await secrets.delete("bootstrap-token-abcdef");
    await restarted;
    await cluster.settle();
    expect(await keys()).toEqual(["jws-kubeconfig-uvwxyz", "kubeconfig"]);
  });
});
