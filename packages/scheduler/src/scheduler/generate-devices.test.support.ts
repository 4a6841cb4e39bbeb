import type { Node } from "../pod/objects.js";
import type { Draw } from "./generate-problem.test.support.js";
import type { Problem } from "./problem.test.support.js";

export interface Devices {
  readonly objects: Problem["objects"];
  /** spec.resourceClaims of the pod to be scheduled. */
  readonly resourceClaims: object[];
}

/** Device classes with selectors, slices on nodes and for zones, partitions and shared devices, and claims in some states. */
export function generateDevices(draw: Draw, nodes: readonly Node[]): Devices {
  const driver = "dra.example.com";
  const device = (name: string): object => ({
    name,
    attributes: { model: { string: draw.one(["a100", "t4"]) }, numa: { int: draw.int(0, 1) } },
    capacity: { memory: { value: draw.one(["16Gi", "40Gi"]) } },
    ...(draw.chance(15) && { taints: [{ key: "broken", effect: "NoSchedule" }] }),
  });
  const local = draw.some(nodes).map(({ metadata }) => ({
    metadata: { name: `slice-${metadata?.name}` },
    spec: {
      driver,
      pool: { name: metadata?.name, generation: 1, resourceSliceCount: draw.chance(90) ? 1 : 2 },
      nodeName: metadata?.name,
      devices: Array.from({ length: draw.int(1, 4) }, (_, at) => device(`gpu-${at}`)),
    },
  }));
  const zonal = {
    metadata: { name: "slice-zone" },
    spec: {
      driver,
      pool: { name: "zone", generation: 1, resourceSliceCount: 1 },
      nodeSelector: {
        nodeSelectorTerms: [
          {
            matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: [draw.one(["a", "b"])] }],
          },
        ],
      },
      devices: [{ ...device("nic-0"), allowMultipleAllocations: draw.chance(60) }],
    },
  };
  const partitioned = {
    counters: {
      metadata: { name: "slice-counters" },
      spec: {
        driver: "parts.example.com",
        pool: { name: "parts", generation: 1, resourceSliceCount: 2 },
        allNodes: true,
        sharedCounters: [{ name: "gpu", counters: { memory: { value: "40Gi" } } }],
      },
    },
    devices: {
      metadata: { name: "slice-partitions" },
      spec: {
        driver: "parts.example.com",
        pool: { name: "parts", generation: 1, resourceSliceCount: 2 },
        allNodes: true,
        devices: ["10Gi", "20Gi", "30Gi"].map((value, at) => ({
          name: `part-${at}`,
          attributes: { model: { string: "part" } },
          consumesCounters: [{ counterSet: "gpu", counters: { memory: { value } } }],
        })),
      },
    },
  };
  const exactly = (more: object = {}): object => ({
    deviceClassName: draw.one(["gpu", "gpu", "big", "part"]),
    allocationMode: "ExactCount",
    count: draw.int(1, 2),
    ...(draw.chance(30) && {
      selectors: [{ cel: { expression: 'device.attributes["dra.example.com"].numa == 0' } }],
    }),
    ...(draw.chance(20) && { tolerations: [{ key: "broken", operator: "Exists" }] }),
    ...more,
  });
  const claim = (name: string, more: object): object => ({
    metadata: { name, namespace: "default", uid: name },
    spec: { devices: more },
  });
  const claims = [
    claim("one", { requests: [{ name: "r", exactly: exactly() }] }),
    claim("two", {
      requests: [
        { name: "x", exactly: exactly({ count: 1 }) },
        { name: "y", exactly: exactly({ count: 1 }) },
      ],
      constraints: [
        draw.chance(50) ? { matchAttribute: "dra.example.com/model" } : { distinctAttribute: "dra.example.com/numa" },
      ],
    }),
    claim("choice", {
      requests: [
        {
          name: "r",
          firstAvailable: [
            { name: "best", deviceClassName: "big", allocationMode: "ExactCount", count: draw.int(1, 3) },
            { name: "good", deviceClassName: "gpu", allocationMode: "ExactCount", count: 1 },
          ],
        },
      ],
    }),
    claim("all", { requests: [{ name: "r", exactly: { deviceClassName: "gpu", allocationMode: "All" } }] }),
    {
      ...claim("allocated", { requests: [{ name: "r", exactly: exactly({ deviceClassName: "gpu", count: 1 }) }] }),
      status: {
        allocation: {
          devices: { results: [{ request: "r", driver, pool: "node-0", device: "gpu-0" }] },
          nodeSelector: {
            nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["node-0"] }] }],
          },
        },
      },
    },
  ];
  return {
    objects: {
      deviceClasses: [
        {
          metadata: { name: "gpu" },
          spec: {
            selectors: [{ cel: { expression: 'device.driver == "dra.example.com"' } }],
            ...(draw.chance(30) && { extendedResourceName: "example.com/gpu" }),
          },
        },
        {
          metadata: { name: "big" },
          spec: {
            selectors: [
              {
                cel: {
                  expression:
                    'device.driver == "dra.example.com" && device.capacity["dra.example.com"].memory.compareTo(quantity("20Gi")) > 0',
                },
              },
            ],
          },
        },
        {
          metadata: { name: "part" },
          spec: { selectors: [{ cel: { expression: 'device.driver == "parts.example.com"' } }] },
        },
      ] as never,
      resourceSlices: [...local, zonal, partitioned.counters, partitioned.devices] as never,
      resourceClaims: claims as never,
    },
    resourceClaims: draw
      .some(["one", "two", "choice", "allocated"])
      .concat(draw.chance(10) ? ["all"] : [])
      .concat(draw.chance(3) ? ["missing"] : [])
      .map((name) => ({ name, resourceClaimName: name })),
  };
}
