import { describe, expect, it } from "vitest";
import { c, pod } from "../pod/pod.test.support.js";
import { ConfigError } from "../runtime/container-runtime.js";
import { kernelHostname, planHost, planHosts, planNodeHosts } from "./plan-hosts.js";
import { planSandbox } from "./plan-sandbox.js";

const facts = {
  paths: { rootDir: "/var/lib/kubelet", podLogsDir: "/var/log/pods" },
  nodeName: "node-0",
  dns: { host: undefined, clusterDns: ["10.96.0.10"], clusterDomain: "cluster.local" },
};
const plan = (...[spec, metadata]: Parameters<typeof pod>) =>
  planSandbox({ pod: pod(spec, metadata), attempt: 2, cgroupParent: "/kubepods/podu1" }, facts);

describe("a sandbox", () => {
  it("carries whose it is in its metadata and labels, and the pod's own labels and annotations", () => {
    const planned = plan({}, { labels: { app: "web" }, annotations: { note: "x" } });
    expect(planned).toMatchObject({
      metadata: { name: "web", namespace: "default", uid: "u1", attempt: 2 },
      hostname: "web",
      logDirectory: "/var/log/pods/default_web_u1",
      annotations: new Map([
        ["note", "x"],
        ["coxswain.dev/node", "node-0"],
      ]),
      linux: { cgroupParent: "/kubepods/podu1" },
    });
    expect(planned.labels).toEqual(
      new Map([
        ["app", "web"],
        ["io.kubernetes.pod.name", "web"],
        ["io.kubernetes.pod.namespace", "default"],
        ["io.kubernetes.pod.uid", "u1"],
      ]),
    );
  });
  it("cannot be given to another pod by labels of its own", () =>
    expect(plan({}, { labels: { "io.kubernetes.pod.uid": "u2" } }).labels?.get("io.kubernetes.pod.uid")).toBe("u1"));
  it("maps the ports of regular containers, each once", () =>
    expect(
      plan({
        containers: [
          c("a", {
            ports: [
              { containerPort: 80, hostPort: 8080 },
              { containerPort: 80, hostPort: 8080 },
              { containerPort: 53, protocol: "UDP", hostIP: "127.0.0.1", hostPort: 53 },
            ],
          }),
        ],
      }).portMappings,
    ).toEqual([
      { protocol: 0, containerPort: 80, hostPort: 8080, hostIp: "" },
      { protocol: 1, containerPort: 53, hostPort: 53, hostIp: "127.0.0.1" },
    ]));
  it("has the node's name in the node's network", () =>
    expect(plan({ hostNetwork: true })).not.toHaveProperty("hostname"));
  it("has sysctls", () =>
    expect(
      plan({ securityContext: { sysctls: [{ name: "kernel.shm_rmid_forced", value: "1" }] } }).linux?.sysctls,
    ).toEqual(new Map([["kernel.shm_rmid_forced", "1"]])));
});

const long = "x".repeat(63);
const hosts: { name: string; of: Parameters<typeof pod>; is: string }[] = [
  { name: "the pod's name", of: [{}], is: "web" },
  { name: "its hostname", of: [{ hostname: "h" }], is: "h" },
  {
    name: "its override, whatever else it has",
    of: [{ hostname: "h", subdomain: "s", hostnameOverride: "o.example" }],
    is: "o.example",
  },
  { name: "63 characters of a long name", of: [{}, { name: `${"x".repeat(62)}-more` }], is: "x".repeat(62) },
  { name: "with its domain only where it asks for that", of: [{ hostname: "h", subdomain: "s" }], is: "h" },
  {
    name: "with its domain",
    of: [{ hostname: "h", subdomain: "s", setHostnameAsFQDN: true }],
    is: "h.s.default.svc.cluster.local",
  },
];

describe("a pod's host name", () => {
  for (const { name, of, is } of hosts)
    it(name, () => expect(kernelHostname(pod(...of), planHost(pod(...of), "cluster.local"))).toBe(is));
  it("must fit into the kernel's 64 bytes", () => {
    const wide = pod({ hostname: long, subdomain: "s", setHostnameAsFQDN: true });
    expect(() => kernelHostname(wide, planHost(wide, "cluster.local"))).toThrow(ConfigError);
  });
});

describe("/etc/hosts", () => {
  it("of a pod has its addresses and its aliases", () =>
    expect(
      planHosts({
        podIPs: ["10.0.0.2", "fd00::2"],
        host: { name: "h", domain: "s.default.svc.cluster.local" },
        aliases: [{ ip: "1.2.3.4", hostnames: ["a", "b"] }],
      }),
    ).toBe(`# Kubernetes-managed hosts file.
127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
10.0.0.2\th.s.default.svc.cluster.local\th
fd00::2\th.s.default.svc.cluster.local\th

# Entries added by HostAliases.
1.2.3.4\ta\tb
`));
  it("in the node's network is the node's", () =>
    expect(planNodeHosts("127.0.0.1 localhost\n", [])).toBe(
      "# Kubernetes-managed hosts file (host network).\n127.0.0.1 localhost\n",
    ));
});
