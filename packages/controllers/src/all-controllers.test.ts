import { afterEach, describe, expect, it } from "vitest";
import { allControllers } from "./all-controllers.js";
import { startTestCluster, type TestCluster } from "./controller/test-cluster.test.support.js";

/** Versions of what controllers read that are off by default. */
const served = [
  "certificates.k8s.io/v1beta1",
  "internal.apiserver.k8s.io/v1alpha1",
  "resource.k8s.io/v1alpha3",
  "scheduling.k8s.io/v1alpha2",
  "storagemigration.k8s.io/v1beta1",
];

describe("all controllers", () => {
  let cluster: TestCluster | undefined;
  afterEach(() => cluster?.stop());

  it("share one set of caches and indexes, also those that are off by default", async () => {
    cluster = await startTestCluster({
      controllers: allControllers.map((controller) => ({ ...controller, isOnByDefault: true })),
      api: {
        featureGates: new Map([
          ["AllAlpha", "true"],
          ["AllBeta", "true"],
        ]),
        runtimeConfig: new Map(served.map((version) => [version, "true"])),
      },
      // DeviceTaintRules are in a version that the server cannot serve.
      gates: { DRADeviceTaintRules: false },
    });
    await cluster.settle();
    const { items } = await cluster.client.core.v1.serviceaccounts("default").list();
    expect(items.map(({ metadata }) => metadata?.name)).toContain("default");
  });
});
