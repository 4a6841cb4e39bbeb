import type { ServicePort, ServiceSpec } from "@coxswain/api/core/v1";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { giveNodePorts } from "./node-ports.js";
import { startClaims } from "./port-claims.js";
import type { StoredService } from "./service.js";

const service = (spec: ServiceSpec): StoredService => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "s" },
  spec,
});
const port = (number: number, nodePort?: number, protocol: "TCP" | "UDP" = "TCP"): ServicePort => ({
  name: `${protocol}-${number}`,
  port: number,
  protocol,
  ...(nodePort === undefined ? {} : { nodePort }),
});

interface Case {
  readonly name: string;
  readonly old?: ServiceSpec;
  readonly spec: ServiceSpec;
  readonly used?: number[];
  /** In use afterwards; undefined: nothing changes. */
  readonly after: number[] | undefined;
}

const nodePort = (...ports: ServicePort[]): ServiceSpec => ({ type: "NodePort", ports });

describe("node ports that a service takes and gives back", () => {
  const cases: Case[] = [
    { name: "those it asks for", spec: nodePort(port(80, 30_001)), after: [30_001] },
    {
      name: "one for TCP and UDP of the same port",
      spec: nodePort(port(53, undefined), port(53, 30_002, "UDP")),
      after: [30_002],
    },
    { name: "none as a ClusterIP", spec: { type: "ClusterIP", ports: [port(80)] }, after: undefined },
    {
      name: "none as a load balancer that wants none",
      spec: { type: "LoadBalancer", allocateLoadBalancerNodePorts: false, ports: [port(80)] },
      after: undefined,
    },
    {
      name: "one more for health checks",
      spec: {
        type: "LoadBalancer",
        externalTrafficPolicy: "Local",
        healthCheckNodePort: 30_003,
        ports: [port(80, 30_001)],
      },
      after: [30_001, 30_003],
    },
    {
      name: "gives all back when it becomes a ClusterIP",
      old: nodePort(port(80, 30_001)),
      spec: { type: "ClusterIP", ports: [port(80)] },
      used: [30_001, 30_002],
      after: [30_002],
    },
    {
      name: "gives back what it changes",
      old: nodePort(port(80, 30_001)),
      spec: nodePort(port(80, 30_002)),
      used: [30_001],
      after: [30_002],
    },
    {
      name: "keeps what stays",
      old: nodePort(port(80, 30_001)),
      spec: nodePort(port(80, 30_001)),
      used: [30_001],
      after: undefined,
    },
    {
      name: "gives back the port for health checks",
      old: { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 30_003, ports: [] },
      spec: { type: "LoadBalancer", ports: [] },
      used: [30_003],
      after: [],
    },
  ];
  for (const { name, old, spec, used = [], after } of cases) {
    it(name, () => {
      const claims = startClaims(new Set(used), { first: 30_000, last: 30_010 }, createSeededRandom(1));
      giveNodePorts(service(spec), old && service(old), claims);
      expect(claims.result() && [...(claims.result() ?? [])].sort()).toEqual(after);
    });
  }
  it("any free one where it does not care", () => {
    const spec = nodePort(port(80), port(81));
    giveNodePorts(
      service(spec),
      undefined,
      startClaims(new Set([30_000]), { first: 30_000, last: 30_002 }, createSeededRandom(1)),
    );
    expect(spec.ports?.map((each) => each.nodePort).sort()).toEqual([30_001, 30_002]);
  });
});
