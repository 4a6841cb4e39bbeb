import { describe, expect, it } from "vitest";
import type { Container, ContainerStatus, Pod } from "../gen/types/core-v1.js";
import {
  amounts,
  hasPodLevelRequests,
  hasPodLevelResources,
  type PodResourcesOptions,
  podLimits,
  podRequests,
  quantities,
  specOnly,
} from "./index.js";

// The rows are the situations of upstream's tables (`component-helpers/resource/helpers_test.go`).

type List = Record<string, string>;
const all: PodResourcesOptions = { podLevel: true, fromStatus: true, podLevelFromStatus: true };
const asks = (requests: List, limits: List = requests): Container => ({ name: "c", resources: { requests, limits } });
const cpu = (amount: string, name = "c"): Container => ({ ...asks({ cpu: amount }), name });
const sidecar = (amount: string): Container => ({ ...cpu(amount, "s"), restartPolicy: "Always" });
const has = (name: string, actuated: List, allocated: List): ContainerStatus =>
  ({ name, resources: { requests: actuated, limits: actuated }, allocatedResources: allocated }) as ContainerStatus;
const infeasible = { conditions: [{ type: "PodResizePending", status: "True" as const, reason: "Infeasible" }] };
const printed = (sums: ReadonlyMap<string, { toString(): string }>): List =>
  Object.fromEntries([...sums].map(([name, sum]) => [name, sum.toString()]));

const cases: { name: string; pod: Pod; options?: PodResourcesOptions; requests: List; limits?: List }[] = [
  {
    name: "containers add up",
    pod: { spec: { containers: [cpu("1"), asks({ cpu: "500m", memory: "1Gi" })] } },
    requests: { cpu: "1500m", memory: "1Gi" },
  },
  {
    name: "an init container counts alone, the largest one",
    pod: { spec: { containers: [cpu("1")], initContainers: [cpu("3"), cpu("2")] } },
    requests: { cpu: "3" },
  },
  {
    name: "a sidecar runs on next to the containers",
    pod: { spec: { containers: [cpu("1")], initContainers: [sidecar("2")] } },
    requests: { cpu: "3" },
  },
  {
    name: "an init container starts next to the sidecars before it",
    pod: { spec: { containers: [cpu("1")], initContainers: [sidecar("2"), cpu("5")] } },
    requests: { cpu: "7" },
  },
  {
    name: "an init container ends before the sidecars behind it start",
    pod: { spec: { containers: [cpu("1")], initContainers: [cpu("5"), sidecar("2")] } },
    requests: { cpu: "5" },
  },
  {
    name: "overhead adds to requests, and to limits that there are",
    pod: {
      spec: {
        containers: [{ name: "c", resources: { requests: { cpu: "1" }, limits: { cpu: "2" } } }],
        overhead: { cpu: "100m", memory: "1Mi" },
      },
    },
    requests: { cpu: "1100m", memory: "1Mi" },
    limits: { cpu: "2100m" },
  },
  {
    name: "overhead adds nothing to a limit of zero",
    pod: { spec: { containers: [asks({}, { cpu: "0" })], overhead: { cpu: "100m" } } },
    requests: { cpu: "100m" },
    limits: { cpu: "0" },
  },
  {
    name: "the pod's own amounts replace those of containers",
    pod: { spec: { containers: [cpu("1")], resources: { requests: { cpu: "5" }, limits: { cpu: "6" } } } },
    requests: { cpu: "5" },
    limits: { cpu: "6" },
  },
  {
    name: "the pod's own amounts count for nothing where the gate is off",
    pod: { spec: { containers: [cpu("1")], resources: { requests: { cpu: "5" } } } },
    options: { ...specOnly, podLevel: false },
    requests: { cpu: "1" },
  },
  {
    name: "resources that a pod cannot have as a whole are those of its containers",
    pod: {
      spec: {
        containers: [asks({ "example.com/gpu": "1" })],
        resources: { requests: { "example.com/gpu": "7", "hugepages-2Mi": "4Mi" } },
      },
    },
    requests: { "example.com/gpu": "1", "hugepages-2Mi": "4Mi" },
    limits: { "example.com/gpu": "1" },
  },
  {
    name: "a resize under way counts with the most of specification, actuated and allocated",
    pod: {
      spec: { containers: [asks({ cpu: "1", memory: "3Gi", x: "1" })] },
      status: {
        containerStatuses: [has("c", { cpu: "2", memory: "1Gi", x: "2" }, { cpu: "1", memory: "1Gi", x: "3" })],
      },
    },
    options: all,
    requests: { cpu: "2", memory: "3Gi", x: "3" },
    limits: { cpu: "2", memory: "3Gi", x: "2" },
  },
  {
    name: "a resize that cannot be done does not count",
    pod: {
      spec: { containers: [cpu("9")] },
      status: { ...infeasible, containerStatuses: [has("c", { cpu: "2" }, { cpu: "3" })] },
    },
    options: all,
    requests: { cpu: "3" },
    limits: { cpu: "2" },
  },
  {
    name: "the status counts for nothing where it is not asked for",
    pod: {
      spec: { containers: [cpu("1")] },
      status: { ...infeasible, containerStatuses: [has("c", { cpu: "2" }, { cpu: "3" })] },
    },
    requests: { cpu: "1" },
  },
  {
    name: "a sidecar that is resized counts with its status",
    pod: {
      spec: { containers: [cpu("1")], initContainers: [sidecar("1")] },
      status: { initContainerStatuses: [has("s", { cpu: "2" }, { cpu: "2" })] },
    },
    options: all,
    requests: { cpu: "3" },
  },
  {
    name: "an init container that ends is never resized",
    pod: {
      spec: { containers: [cpu("1")], initContainers: [cpu("2", "i")] },
      status: { initContainerStatuses: [has("i", { cpu: "9" }, { cpu: "9" })] },
    },
    options: all,
    requests: { cpu: "2" },
  },
  {
    name: "a container that asks for nothing may still have something",
    pod: {
      spec: { containers: [{ name: "c" }] },
      status: { containerStatuses: [has("c", { cpu: "2" }, { cpu: "2" })] },
    },
    options: all,
    requests: { cpu: "2" },
  },
  {
    name: "a pod that is resized as a whole counts with the most of the three",
    pod: {
      spec: { containers: [cpu("1")], resources: { requests: { cpu: "2" }, limits: { cpu: "2" } } },
      status: { resources: { requests: { cpu: "4" }, limits: { cpu: "4" } }, allocatedResources: { cpu: "3" } },
    },
    options: all,
    requests: { cpu: "4" },
  },
  {
    name: "a pod that is resized as a whole counts with its specification where the gate is off",
    pod: {
      spec: { containers: [cpu("1")], resources: { requests: { cpu: "2" } } },
      status: { resources: { requests: { cpu: "4" } } },
    },
    options: { ...all, podLevelFromStatus: false },
    requests: { cpu: "2" },
    limits: { cpu: "1" },
  },
];

describe("what a pod requests and is limited to", () => {
  for (const { name, pod, options = specOnly, requests, limits = requests } of cases) {
    it(`${name}, in quantities`, () => {
      expect(printed(podRequests(pod, options, quantities))).toEqual(requests);
      expect(printed(podLimits(pod, options, quantities))).toEqual(limits);
    });
    it(`${name}, in numbers`, () => {
      const numbers = (list: List): List =>
        printed(new Map(Object.entries(list).map(([resource, text]) => [resource, amounts.parse(resource, text)])));
      expect(printed(podRequests(pod, options, amounts))).toEqual(numbers(requests));
      expect(printed(podLimits(pod, options, amounts))).toEqual(numbers(limits));
    });
  }

  it("takes an assumed request for what a container does not name, not for what it names as zero", () => {
    const assumed = new Map([
      ["cpu", 100],
      ["memory", 200],
    ]);
    const pod = { spec: { containers: [asks({ cpu: "0" }), { name: "d" }] } };
    expect(podRequests(pod, { ...specOnly, assumed }, amounts)).toEqual(
      new Map([
        ["cpu", 100],
        ["memory", 400],
      ]),
    );
  });
});

describe("resources of a pod as a whole", () => {
  const rows = [
    { name: "none", resources: {}, requests: false, any: false },
    { name: "only some that it cannot have", resources: { requests: { x: "1" } }, requests: false, any: false },
    { name: "limits only", resources: { limits: { cpu: "1" } }, requests: false, any: true },
    { name: "requests", resources: { requests: { x: "1", memory: "1" } }, requests: true, any: true },
  ];
  for (const { name, resources, requests, any } of rows)
    it(name, () => {
      const pod = { spec: { containers: [], resources } };
      expect([hasPodLevelRequests(pod), hasPodLevelResources(pod)]).toEqual([requests, any]);
    });
});
