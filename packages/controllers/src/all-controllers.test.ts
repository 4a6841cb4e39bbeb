import { afterEach, describe, expect, it } from "vitest";
import { allControllers } from "./all-controllers.js";
import { chooseControllers } from "./controller/choose-controllers.js";
import { startTestCluster, type TestCluster } from "./controller/test-cluster.test.support.js";

/** Versions of what controllers read that are off by default. */
const served = [
  "certificates.k8s.io/v1beta1",
  "internal.apiserver.k8s.io/v1alpha1",
  "resource.k8s.io/v1alpha3",
  "scheduling.k8s.io/v1alpha2",
  "storagemigration.k8s.io/v1beta1",
];

/** kube-controller-manager's controllers in the order in which it registers them: name, alias, whether it must be named to run. */
const upstream: readonly (readonly [name: string, alias?: string, isOff?: "off"])[] = [
  ["serviceaccount-token-controller", "serviceaccount-token"],
  ["endpoints-controller", "endpoint"],
  ["endpointslice-controller", "endpointslice"],
  ["endpointslice-mirroring-controller", "endpointslicemirroring"],
  ["replicationcontroller-controller", "replicationcontroller"],
  ["pod-garbage-collector-controller", "podgc"],
  ["resourcequota-controller", "resourcequota"],
  ["namespace-controller", "namespace"],
  ["serviceaccount-controller", "serviceaccount"],
  ["garbage-collector-controller", "garbagecollector"],
  ["daemonset-controller", "daemonset"],
  ["job-controller", "job"],
  ["podgroup-protection-controller"],
  ["deployment-controller", "deployment"],
  ["replicaset-controller", "replicaset"],
  ["horizontal-pod-autoscaler-controller", "horizontalpodautoscaling"],
  ["disruption-controller", "disruption"],
  ["statefulset-controller", "statefulset"],
  ["cronjob-controller", "cronjob"],
  ["certificatesigningrequest-signing-controller", "csrsigning"],
  ["certificatesigningrequest-approving-controller", "csrapproving"],
  ["certificatesigningrequest-cleaner-controller", "csrcleaner"],
  ["podcertificaterequest-cleaner-controller"],
  ["ttl-controller", "ttl"],
  ["bootstrap-signer-controller", "bootstrapsigner", "off"],
  ["token-cleaner-controller", "tokencleaner", "off"],
  ["node-ipam-controller", "nodeipam"],
  ["node-lifecycle-controller", "nodelifecycle"],
  ["persistentvolume-binder-controller", "persistentvolume-binder"],
  ["persistentvolume-attach-detach-controller", "attachdetach"],
  ["persistentvolume-expander-controller", "persistentvolume-expander"],
  ["clusterrole-aggregation-controller", "clusterrole-aggregation"],
  ["persistentvolumeclaim-protection-controller", "pvc-protection"],
  ["persistentvolume-protection-controller", "pv-protection"],
  ["volumeattributesclass-protection-controller"],
  ["ttl-after-finished-controller", "ttl-after-finished"],
  ["root-ca-certificate-publisher-controller", "root-ca-cert-publisher"],
  ["kube-apiserver-serving-clustertrustbundle-publisher-controller"],
  ["ephemeral-volume-controller", "ephemeral-volume"],
  ["storageversion-garbage-collector-controller", "storage-version-gc"],
  ["resourceclaim-controller", "resource-claim-controller"],
  ["resourcepoolstatusrequest-controller"],
  ["device-taint-eviction-controller"],
  ["legacy-serviceaccount-token-cleaner-controller", "legacy-service-account-token-cleaner"],
  ["validatingadmissionpolicy-status-controller"],
  ["taint-eviction-controller"],
  ["service-cidr-controller"],
  ["storage-version-migrator-controller", "svm"],
  ["selinux-warning-controller", "", "off"],
];

describe("the controllers of kube-controller-manager", () => {
  it("are all there, in its order", () =>
    expect(allControllers.map(({ name }) => name)).toEqual(upstream.map(([name]) => name)));
  for (const { name, aliases, isOnByDefault = true } of allControllers)
    it(`${name} has upstream's alias, and runs by default where upstream's does`, () => {
      const row = upstream.find(([known]) => known === name);
      expect([aliases, isOnByDefault]).toEqual([row?.[1] ? [row[1]] : [], row?.[2] !== "off"]);
    });
  it("those of clouds may be named and do not run", () => {
    const names = ["service-lb-controller", "node-route-controller", "cloud-node-lifecycle-controller"];
    const chosen = chooseControllers(allControllers, { controllers: names, gates: { enabled: () => true } });
    expect(chosen).toEqual([]);
  });
});

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

  it("work beside one that needs an API which is not served", async () => {
    // Every gate is on, and the server serves none of the APIs behind them.
    cluster = await startTestCluster({ controllers: allControllers });
    await cluster.client.core.v1.namespaces().create({ metadata: { name: "shop" } });
    await cluster.settle();
    const { items } = await cluster.client.core.v1.serviceaccounts("shop").list();
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(["default"]);
  });
});
