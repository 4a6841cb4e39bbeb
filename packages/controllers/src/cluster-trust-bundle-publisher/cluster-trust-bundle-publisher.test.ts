import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureAuthority } from "@coxswain/component/certificates";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { fixedRootCa } from "../settings/root-ca.js";
import { clusterTrustBundlePublisherController } from "./controller.js";
import { bundleName, planBundle, signerName } from "./plan.js";

const bundle = (name: string, trustBundle: string, signer = signerName) => ({
  metadata: { name },
  spec: { signerName: signer, trustBundle },
});

describe("the bundles of the signer", () => {
  const name = bundleName("CA");
  it("are named by what they hold", () =>
    expect(name).toBe("kubernetes.io:kube-apiserver-serving:4b650e5c4785025dee7bd65e"));
  const rows = [
    { name: "one is created", all: [], create: true, update: false, remove: [] },
    { name: "it stays", all: [bundle(name, "CA")], create: false, update: false, remove: [] },
    {
      name: "what somebody changed is changed back",
      all: [bundle(name, "x")],
      create: false,
      update: true,
      remove: [],
    },
    { name: "older ones go", all: [bundle("old", "x")], create: true, update: false, remove: ["old"] },
    {
      name: "those of others stay",
      all: [bundle("other", "x", "example.com/s")],
      create: true,
      update: false,
      remove: [],
    },
  ];
  for (const row of rows)
    it(row.name, () => {
      const { create, update, remove } = planBundle("CA", row.all);
      expect([create !== undefined, update !== undefined, remove]).toEqual([row.create, row.update, row.remove]);
    });
});

describe("the publisher of trust bundles", () => {
  let cluster: TestCluster;
  const folder = mkdtempSync(join(tmpdir(), "bundle-"));
  afterEach(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  it("publishes the bundle, again when somebody deletes it", async () => {
    const options = { clock: systemClock, random: systemRandom, commonName: "ca" };
    const { certificate: rootCa } = ensureAuthority(folder, "ca", options);
    cluster = await startTestCluster({
      controllers: [clusterTrustBundlePublisherController],
      settings: { rootCa: fixedRootCa(rootCa) },
      api: {
        featureGates: new Map([["ClusterTrustBundle", "true"]]),
        runtimeConfig: new Map([["certificates.k8s.io/v1beta1", "true"]]),
      },
    });
    const bundles = cluster.client.certificates.v1beta1.clustertrustbundles();
    await cluster.advance(60_000);
    expect((await bundles.list()).items.map(({ spec }) => spec.trustBundle.trim())).toEqual([rootCa.trim()]);
    await bundles.delete(bundleName(rootCa));
    await cluster.settle();
    expect((await bundles.list()).items).toHaveLength(1);
  });
});
