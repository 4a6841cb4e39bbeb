import type { Container, ResourceRequirements } from "@coxswain/api/core/v1";
import { decode, encode } from "@coxswain/wire/protobuf";
import { describe, expect, it } from "vitest";
import { LinuxContainerResources } from "../gen/cri.js";
import { oomScore } from "../pod/oom-score.js";
import { c, pod, sidecar } from "../pod/pod.test.support.js";
import { planResources, type ResourceFacts, readResources } from "./plan-resources.js";

const facts: ResourceFacts = {
  memoryBytes: 10 * 1024 ** 3,
  cgroupVersion: 1,
  hugePageBytes: [2 * 1024 ** 2, 1024 ** 3],
  quotaPeriod: 100_000,
  killsSingleProcess: true,
};
const of = (resources: ResourceRequirements): Container => c("a", { resources });

const cases: { name: string; resources: ResourceRequirements; facts?: Partial<ResourceFacts>; is: object }[] = [
  { name: "nothing: the least shares, no quota", resources: {}, is: { cpuShares: 2, cpuQuota: 0, cpuPeriod: 100_000 } },
  { name: "a request of CPU", resources: { requests: { cpu: "250m" } }, is: { cpuShares: 256, cpuQuota: 0 } },
  {
    name: "a limit of CPU stands for the request",
    resources: { limits: { cpu: "1" } },
    is: { cpuShares: 1024, cpuQuota: 100_000 },
  },
  {
    name: "a tiny limit of CPU has the least quota",
    resources: { limits: { cpu: "1m" } },
    is: { cpuShares: 2, cpuQuota: 1000 },
  },
  { name: "memory", resources: { limits: { memory: "100Mi" } }, is: { memoryLimitInBytes: 104_857_600 } },
  {
    name: "huge pages of each size of the machine",
    resources: { limits: { "hugepages-2Mi": "4Mi" } },
    is: {
      hugepageLimits: [
        { pageSize: "2MB", limit: 4_194_304 },
        { pageSize: "1GB", limit: 0 },
      ],
    },
  },
  {
    name: "the whole container is killed when memory runs out, with cgroup v2",
    resources: {},
    facts: { cgroupVersion: 2, killsSingleProcess: false },
    is: { unified: new Map([["memory.oom.group", "1"]]) },
  },
];

describe("a container's limits in the kernel's terms", () => {
  for (const { name, resources, facts: other, is } of cases)
    it(name, () =>
      expect(planResources(pod({ containers: [of(resources)] }), of(resources), { ...facts, ...other })).toMatchObject(
        is,
      ),
    );
  it("no quota where it is turned off", () =>
    expect(planResources(pod(), of({ limits: { cpu: "1" } }), { ...facts, quotaPeriod: undefined })).not.toHaveProperty(
      "cpuQuota",
    ));
});

describe("the limits that a runtime reports", () => {
  const given: ResourceRequirements[] = [
    {},
    { requests: { cpu: "1m", memory: "1Gi" } },
    { requests: { cpu: "333m" }, limits: { cpu: "777m", memory: "128Mi" } },
    { limits: { cpu: "2", memory: "1G" }, requests: { cpu: "2", memory: "1G" } },
    { limits: { cpu: "5m" }, requests: { cpu: "5m" } },
  ];
  for (const resources of given)
    it(`are those that were given: ${JSON.stringify(resources)}`, () => {
      const linux = decode(
        LinuxContainerResources,
        encode(LinuxContainerResources, planResources(pod(), of(resources), facts)),
      );
      expect(readResources(linux, resources)).toEqual(resources);
    });
  it("show what somebody else changed", () => {
    const linux = decode(
      LinuxContainerResources,
      encode(LinuxContainerResources, {
        cpuShares: 512,
        cpuQuota: 50_000,
        cpuPeriod: 100_000,
        memoryLimitInBytes: 1000,
      }),
    );
    expect(readResources(linux, { requests: { cpu: "1", memory: "5" }, limits: { cpu: "1", memory: "2" } })).toEqual({
      limits: { cpu: "500m", memory: "1000" },
      requests: { cpu: "500m", memory: "5" },
    });
  });
});

// Expected values from upstream's pkg/kubelet/qos/policy_test.go: its node has 8,000,000,000 bytes.
const standardMemory = 8_000_000_000;
const scores: { name: string; container: Container; spec?: object; score: number }[] = [
  { name: "best effort", container: c("a"), score: 1000 },
  {
    name: "guaranteed",
    container: of({ requests: { memory: "10G", cpu: "5m" }, limits: { memory: "10G", cpu: "5m" } }),
    score: -997,
  },
  {
    name: "half of the memory, and no limit of CPU",
    container: of({ requests: { memory: String(standardMemory / 2), cpu: "5m" }, limits: { memory: "10G" } }),
    score: 500,
  },
  { name: "all of the memory", container: of({ requests: { memory: String(standardMemory), cpu: "5m" } }), score: 3 },
  { name: "a request of CPU alone", container: of({ requests: { cpu: "5m" } }), score: 999 },
  {
    name: "a pod that the node cannot do without",
    container: c("a"),
    spec: { priorityClassName: "system-node-critical" },
    score: -997,
  },
];

describe("what the kernel kills first", () => {
  for (const { name, container, spec, score } of scores)
    it(name, () => expect(oomScore(pod({ containers: [container], ...spec }), container, standardMemory)).toBe(score));
  it("a sidecar not before the least of the regular containers", () => {
    const side = sidecar("s", { resources: { requests: { memory: "100M" } } });
    const all = { initContainers: [side], containers: [of({ requests: { memory: String(standardMemory / 2) } })] };
    expect(oomScore(pod(all), side, standardMemory)).toBe(500);
  });
});
