import { describe, expect, it } from "vitest";
import type { CachedPod } from "../objects/cached-pod.js";
import { planNetworkFiles } from "./network-files.js";

const pod = (spec: object): CachedPod => ({ metadata: { name: "db-0", namespace: "shop" }, spec }) as never;
const facts = {
  hostname: "db-0",
  ips: ["10.244.1.7"],
  cluster: { nameServer: "10.96.0.10", domain: "cluster.local" },
};

describe("files of a simulated pod's network", () => {
  it("name the pod, with its domain where it has one", () => {
    const { hosts } = planNetworkFiles(pod({ subdomain: "db" }), facts);
    expect(hosts.split("\n")).toContain("10.244.1.7\tdb-0.db.shop.svc.cluster.local\tdb-0");
    expect(planNetworkFiles(pod({}), facts).hosts).toMatch(/^10\.244\.1\.7\tdb-0$/m);
  });

  it("have the pod's aliases", () => {
    const hostAliases = [{ ip: "192.0.2.1", hostnames: ["a", "b"] }];
    expect(planNetworkFiles(pod({ hostAliases }), facts).hosts).toMatch(/^192\.0\.2\.1\ta\tb$/m);
  });

  it("are the node's for a pod in its network", () =>
    expect(planNetworkFiles(pod({ hostNetwork: true }), facts).hosts).toBe(
      "# Kubernetes-managed hosts file (host network).\n127.0.0.1\tlocalhost\n",
    ));

  it("lead to the cluster's DNS, by its searches", () =>
    expect(planNetworkFiles(pod({}), facts).resolvConf).toBe(
      "search shop.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n",
    ));

  it("follow the pod's own DNS", () => {
    const dnsConfig = { nameservers: ["192.0.2.53"], searches: ["example.com"] };
    expect(planNetworkFiles(pod({ dnsPolicy: "None", dnsConfig }), facts).resolvConf).toBe(
      "search example.com\nnameserver 192.0.2.53\n",
    );
  });
});
