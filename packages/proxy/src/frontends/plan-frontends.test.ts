import type { Service, ServicePort } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { describe, expect, it } from "vitest";
import { planFrontends, type ThisNode } from "./plan-frontends.js";
import { endpointOf, line, loadBalancerAt, service, slice, testNode } from "./service.test.support.js";

const ports: ServicePort[] = [{ name: "http", protocol: "TCP", port: 80, nodePort: 30080 }];
const balanced = { type: "LoadBalancer", ports } as const;
const withNodePort = { type: "NodePort", ports } as const;
const here = "10.0.0.1 local";
const there = "10.0.0.2";

const rows: { name: string; service: Service; slices?: EndpointSlice[]; node?: Partial<ThisNode>; lines: string[] }[] =
  [
    {
      name: "a cluster IP leads to all ready endpoints",
      service: service(),
      slices: [slice([here, there, "10.0.0.3 unready"])],
      lines: ["ClusterIP 10.96.0.1:80 -> 10.0.0.1:8080 10.0.0.2:8080"],
    },
    { name: "a service without endpoints rejects", service: service(), lines: ["ClusterIP 10.96.0.1:80 reject"] },
    {
      name: "a service whose endpoints are unready rejects",
      service: service(),
      slices: [slice(["10.0.0.1 unready"])],
      lines: ["ClusterIP 10.96.0.1:80 reject"],
    },
    {
      name: "internal policy Local leads to endpoints here",
      service: service({ internalTrafficPolicy: "Local" }),
      slices: [slice([here, there])],
      lines: ["ClusterIP 10.96.0.1:80 -> 10.0.0.1:8080"],
    },
    {
      name: "internal policy Local drops where the endpoints are elsewhere",
      service: service({ internalTrafficPolicy: "Local" }),
      slices: [slice([there])],
      lines: ["ClusterIP 10.96.0.1:80 drop"],
    },
    {
      name: "internal policy Local and no endpoints at all: reject",
      service: service({ internalTrafficPolicy: "Local" }),
      lines: ["ClusterIP 10.96.0.1:80 reject"],
    },
    {
      name: "a node port masquerades under policy Cluster",
      service: service(withNodePort),
      slices: [slice([here, there])],
      lines: [
        "ClusterIP 10.96.0.1:80 -> 10.0.0.1:8080 10.0.0.2:8080",
        "NodePort *:30080 masquerade -> 10.0.0.1:8080 10.0.0.2:8080",
      ],
    },
    {
      name: "external policy Local keeps the source, and the node's own connections go anywhere",
      service: service({ ...withNodePort, externalTrafficPolicy: "Local" }),
      slices: [slice([here, there])],
      lines: [
        "ClusterIP 10.96.0.1:80 -> 10.0.0.1:8080 10.0.0.2:8080",
        "NodePort *:30080 inside -> 10.0.0.1:8080 10.0.0.2:8080 -> 10.0.0.1:8080",
      ],
    },
    {
      name: "external policy Local drops where the endpoints are elsewhere, but not for the node itself",
      service: service({ ...withNodePort, externalTrafficPolicy: "Local" }),
      slices: [slice([there])],
      lines: ["ClusterIP 10.96.0.1:80 -> 10.0.0.2:8080", "NodePort *:30080 inside -> 10.0.0.2:8080 drop"],
    },
    {
      name: "internal Local and external Cluster have lists of their own",
      service: service({ ...withNodePort, internalTrafficPolicy: "Local" }),
      slices: [slice([here, there])],
      lines: ["ClusterIP 10.96.0.1:80 -> 10.0.0.1:8080", "NodePort *:30080 masquerade -> 10.0.0.1:8080 10.0.0.2:8080"],
    },
    {
      name: "external IPs and load-balancer IPs are frontends of the service's port",
      service: service(
        { ...balanced, externalIPs: ["1.2.3.4", "fd00::9", "bad", "1.2.3.4"] },
        loadBalancerAt("5.6.7.8"),
      ),
      slices: [slice([there])],
      lines: [
        "ClusterIP 10.96.0.1:80 -> 10.0.0.2:8080",
        "ExternalIP 1.2.3.4:80 masquerade -> 10.0.0.2:8080",
        "LoadBalancerIP 5.6.7.8:80 masquerade -> 10.0.0.2:8080",
        "NodePort *:30080 masquerade -> 10.0.0.2:8080",
      ],
    },
    {
      name: "an address that the load balancer proxies by itself is none of ours",
      service: service(balanced, { status: { loadBalancer: { ingress: [{ ip: "5.6.7.8", ipMode: "Proxy" }] } } }),
      slices: [slice([there])],
      lines: ["ClusterIP 10.96.0.1:80 -> 10.0.0.2:8080", "NodePort *:30080 masquerade -> 10.0.0.2:8080"],
    },
    {
      name: "source ranges limit the load balancer's address only, and let the node in if they hold it",
      service: service(
        { ...balanced, loadBalancerSourceRanges: [" 192.168.0.0/16 ", "fd00::/8"] },
        loadBalancerAt("5.6.7.8"),
      ),
      slices: [slice([there])],
      lines: [
        "ClusterIP 10.96.0.1:80 -> 10.0.0.2:8080",
        "LoadBalancerIP 5.6.7.8:80 masquerade from 192.168.0.0/16,5.6.7.8 -> 10.0.0.2:8080",
        "NodePort *:30080 masquerade -> 10.0.0.2:8080",
      ],
    },
    {
      name: "source ranges without the node do not let it in",
      service: service({ ...balanced, loadBalancerSourceRanges: ["203.0.113.0/24"] }, loadBalancerAt("5.6.7.8")),
      lines: [
        "ClusterIP 10.96.0.1:80 reject",
        "LoadBalancerIP 5.6.7.8:80 masquerade from 203.0.113.0/24 reject",
        "NodePort *:30080 masquerade reject",
      ],
    },
    {
      name: "a range of everything is no range",
      service: service(
        { ...balanced, loadBalancerSourceRanges: ["203.0.113.0/24", "0.0.0.0/0"] },
        loadBalancerAt("5.6.7.8"),
      ),
      slices: [slice([there])],
      lines: [
        "ClusterIP 10.96.0.1:80 -> 10.0.0.2:8080",
        "LoadBalancerIP 5.6.7.8:80 masquerade -> 10.0.0.2:8080",
        "NodePort *:30080 masquerade -> 10.0.0.2:8080",
      ],
    },
    {
      name: "endpoints that terminate serve where none is ready",
      service: service(),
      slices: [slice(["10.0.0.1 terminating", "10.0.0.2 unready terminating"])],
      lines: ["ClusterIP 10.96.0.1:80 -> 10.0.0.1:8080"],
    },
    {
      name: "an address that a new pod has taken over is the new pod's",
      service: service(),
      slices: [slice(["10.0.0.1"], { name: "svc-1" }), slice(["10.0.0.1 terminating"], { name: "svc-2" })],
      lines: ["ClusterIP 10.96.0.1:80 -> 10.0.0.1:8080"],
    },
    {
      name: "ports are matched by name and protocol; one without a name or number is left out",
      service: service({
        ports: [
          { name: "http", protocol: "TCP", port: 80 },
          { name: "http-udp", protocol: "UDP", port: 80 },
          { name: "media", protocol: "SCTP", port: 99 },
        ],
      }),
      slices: [
        slice([there], {
          ports: [
            { name: "http", port: 8080, protocol: "TCP" },
            { name: "http-udp", port: 8081, protocol: "UDP" },
            { name: "media", protocol: "SCTP" },
            { port: 7, protocol: "TCP" },
          ],
        }),
      ],
      lines: [
        "ClusterIP 10.96.0.1:80 -> 10.0.0.2:8080",
        "ClusterIP 10.96.0.1:80 -> 10.0.0.2:8081",
        "ClusterIP 10.96.0.1:99 reject",
      ],
    },
    {
      name: "the other family has its own cluster IP and slices",
      node: { family: "IPv6", address: "fd00::2" },
      service: service({ clusterIPs: ["10.96.0.1", "fd00:96::1"], ipFamilies: ["IPv4", "IPv6"] }),
      slices: [slice([there]), slice(["fd00:1::2"], { name: "svc-2" })],
      lines: ["ClusterIP fd00:96::1:80 -> fd00:1::2:8080"],
    },
    { name: "a service without the family is not there", node: { family: "IPv6" }, service: service(), lines: [] },
    {
      name: "a headless service is not there",
      service: service({ clusterIP: "None", clusterIPs: ["None"] }),
      lines: [],
    },
    { name: "an ExternalName service is not there", service: service({ type: "ExternalName" }), lines: [] },
  ];

describe("frontends of a service", () => {
  for (const row of rows)
    it(row.name, () => {
      const plan = planFrontends(row.service, row.slices ?? [], { ...testNode, ...row.node });
      expect((plan?.ports ?? []).flatMap((port) => port.frontends.map(line))).toEqual(row.lines);
    });

  it("session affinity has the service's time-out, three hours by default", () => {
    const affine = (config?: object): number | undefined =>
      planFrontends(service({ sessionAffinity: "ClientIP", ...config }), [], testNode)?.ports[0]?.affinitySeconds;
    expect(affine()).toBe(10_800);
    expect(affine({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 7 } } })).toBe(7);
    expect(planFrontends(service(), [], testNode)?.ports[0]?.affinitySeconds).toBeUndefined();
  });

  it("the health check of a load balancer counts addresses of ready endpoints here", () => {
    const local = service({ ...balanced, externalTrafficPolicy: "Local", healthCheckNodePort: 31_000 });
    const ports = [
      { name: "http", port: 8080, protocol: "TCP" as const },
      { name: "more", port: 8081, protocol: "TCP" as const },
    ];
    const plan = planFrontends(local, [slice([here, there, "10.0.0.3 local unready"], { ports })], testNode);
    expect(plan).toMatchObject({ healthCheckNodePort: 31_000, localReady: 1 });
    const cluster = planFrontends(service({ ...balanced, healthCheckNodePort: 31_000 }), [], testNode);
    expect(cluster?.healthCheckNodePort).toBe(0);
  });

  it("zone hints choose among the endpoints", () => {
    const inZone = (address: string, zone: string) => ({
      ...endpointOf(address),
      hints: { forZones: [{ name: zone }] },
    });
    const hinted = { ...slice([]), endpoints: [inZone("10.0.0.1", "a"), inZone("10.0.0.2", "b")] };
    const plan = planFrontends(service({ trafficDistribution: "PreferSameZone" }), [hinted], testNode);
    expect(plan?.ports[0]?.frontends.map(line)).toEqual(["ClusterIP 10.96.0.1:80 -> 10.0.0.1:8080"]);
  });

  it("conntrack may keep what serves, ready or terminating", () => {
    const plan = planFrontends(service(), [slice([here, "10.0.0.2 terminating", "10.0.0.3 unready"])], testNode);
    expect([...(plan?.ports[0]?.serving ?? [])]).toEqual(["10.0.0.1:8080", "10.0.0.2:8080"]);
  });
});
