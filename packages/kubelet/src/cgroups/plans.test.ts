import { describe, expect, it } from "vitest";
import { parseMountInfo } from "../machine/mount-table.js";
import { c, pod, sidecar } from "../pod/pod.test.support.js";
import { planLayout } from "./cgroup-layout.js";
import { defaultPodLimits, nodeGroupResources, podGroupResources } from "./group-resources.js";
import { planResize } from "./plan-resize.js";
import { cpuWeight, pageSizeName, planWrites, sharesOfWeight } from "./plan-writes.js";

describe("what a pod's group is limited to", () => {
  const noPages = { hugePages: new Map() };
  const rows = [
    { name: "BestEffort: the least weight, no limit", containers: [c("a")], is: { cpuShares: 2 } },
    {
      name: "Guaranteed: everything",
      containers: [
        c("a", { resources: { requests: { cpu: "500m", memory: "64Mi" }, limits: { cpu: "500m", memory: "64Mi" } } }),
      ],
      is: { cpuShares: 512, cpuQuotaMicros: 50_000, cpuPeriodMicros: 100_000, memoryBytes: 64 * 1024 ** 2 },
    },
    {
      name: "Burstable with requests alone: only a weight",
      containers: [c("a", { resources: { requests: { cpu: "100m", memory: "1Mi" } } })],
      is: { cpuShares: 102 },
    },
    {
      name: "a container without a limit of memory: the pod has none",
      containers: [
        c("a", { resources: { limits: { cpu: "1", memory: "1Mi" } } }),
        c("b", { resources: { limits: { cpu: "1" } } }),
      ],
      is: { cpuShares: 2, cpuQuotaMicros: 200_000, cpuPeriodMicros: 100_000 },
    },
    {
      name: "init containers count where they need more than all others",
      containers: [c("a", { resources: { limits: { memory: "1Mi" } } })],
      initContainers: [c("i", { resources: { limits: { memory: "5Mi" } } })],
      is: { cpuShares: 2, memoryBytes: 5 * 1024 ** 2 },
    },
    {
      name: "a sidecar without limits leaves the pod without",
      containers: [c("a", { resources: { limits: { memory: "1Mi" } } })],
      initContainers: [sidecar("s")],
      is: { cpuShares: 2 },
    },
    {
      name: "a limit of the pod itself counts for containers that have none",
      containers: [c("a")],
      resources: { limits: { memory: "7Mi" }, requests: { memory: "7Mi" } },
      is: { cpuShares: 2, memoryBytes: 7 * 1024 ** 2 },
    },
    {
      name: "the least quota is a millisecond",
      containers: [c("a", { resources: { requests: { cpu: "1m" }, limits: { cpu: "1m" } } })],
      is: { cpuShares: 2, cpuQuotaMicros: 1000, cpuPeriodMicros: 100_000 },
    },
  ];
  for (const { name, is, ...spec } of rows)
    it(name, () => expect(podGroupResources(pod(spec), defaultPodLimits)).toEqual({ ...noPages, ...is }));

  it("huge pages are limited to what is requested", () => {
    const resources = { requests: { "hugepages-2Mi": "4Mi" }, limits: { "hugepages-2Mi": "4Mi" } };
    const { hugePages } = podGroupResources(pod({ containers: [c("a", { resources })] }), defaultPodLimits);
    expect([...(hugePages ?? [])]).toEqual([[2 * 1024 ** 2, 4 * 1024 ** 2]]);
  });

  it("without cpuCFSQuota limits of CPU are not enforced; podPidsLimit limits processes", () => {
    const limited = pod({ containers: [c("a", { resources: { limits: { cpu: "1" } } })] });
    expect(podGroupResources(limited, { enforceCpu: false, cpuPeriodMicros: 100_000, pids: 50 })).toMatchObject({
      cpuQuotaMicros: -1,
      pids: 50,
    });
  });
});

describe("what all pods of a node are limited to", () => {
  const machine = {
    processors: 2,
    memoryBytes: 4 * 1024 ** 3,
    maxProcesses: 1000,
    hugePages: [{ sizeBytes: 2 ** 21, count: 3 }],
  };
  const all = { cpuShares: 2048, memoryBytes: 4 * 1024 ** 3, pids: 1000, hugePages: new Map([[2 ** 21, 3 * 2 ** 21]]) };
  const rows = [
    { name: "all that the machine has", reserved: [], is: all },
    {
      name: "without what is reserved for the system and the kubelet",
      reserved: [
        { cpu: "250m", memory: "1Gi" },
        { cpu: "250m", pid: "100" },
      ],
      is: { ...all, cpuShares: 1536, memoryBytes: 3 * 1024 ** 3, pids: 900 },
    },
    {
      name: "nothing, where more is reserved than there is",
      reserved: [{ memory: "9Gi" }],
      is: { ...all, memoryBytes: 0 },
    },
  ];
  for (const { name, reserved, is } of rows)
    it(name, () => expect(nodeGroupResources(machine, reserved as Record<string, string>[])).toEqual(is));
});

describe("what is written to a group", () => {
  const all = { cpuShares: 512, cpuQuotaMicros: 50_000, cpuPeriodMicros: 100_000, memoryBytes: 4096, pids: 7 };
  const text = (resources: object, version: 1 | 2, hugePageSizes: number[] = []): string[] =>
    planWrites(resources, { version, hugePageSizes }).map(
      ({ controller, file, value }) => `${controller} ${file} ${value}`,
    );

  it("on v1", () =>
    expect(text(all, 1)).toEqual([
      "cpu cpu.shares 512",
      "cpu cpu.cfs_period_us 100000",
      "cpu cpu.cfs_quota_us 50000",
      "memory memory.limit_in_bytes 4096",
      "pids pids.max 7",
    ]));
  it("on v2", () =>
    expect(text(all, 2)).toEqual([
      "cpu cpu.weight 20",
      "cpu cpu.max 50000 100000",
      "memory memory.max 4096",
      "pids pids.max 7",
    ]));
  it("no limit, on v1 and v2", () => {
    expect(text({ cpuQuotaMicros: -1, pids: -1 }, 1)).toEqual(["cpu cpu.cfs_quota_us -1", "pids pids.max max"]);
    expect(text({ cpuQuotaMicros: -1, pids: -1 }, 2)).toEqual(["cpu cpu.max max 100000", "pids pids.max max"]);
  });
  it("huge pages of sizes that nobody asked for are limited to none", () => {
    const hugePages = new Map([[2 ** 21, 4096]]);
    expect(text({ hugePages }, 1, [2 ** 21, 2 ** 30])).toEqual([
      "hugetlb hugetlb.2MB.limit_in_bytes 4096",
      "hugetlb hugetlb.1GB.limit_in_bytes 0",
    ]);
    expect(text({ hugePages }, 2, [2 ** 21])).toEqual(["hugetlb hugetlb.2MB.max 4096"]);
    expect(text({}, 2, [2 ** 21])).toEqual([]);
  });

  const weights = [
    { shares: 2, weight: 1 },
    { shares: 1024, weight: 39 },
    { shares: 262_144, weight: 10_000 },
  ];
  for (const { shares, weight } of weights)
    it(`${shares} shares are a weight of ${weight}`, () => expect(cpuWeight(shares)).toBe(weight));
  it("weights are shares again", () => expect([1, 10_000].map(sharesOfWeight)).toEqual([2, 262_144]));
  it("pages have the kernel's names", () =>
    expect([65_536, 2 ** 21, 2 ** 34].map(pageSizeName)).toEqual(["64KB", "2MB", "16GB"]));
});

describe("a resize of a pod's group", () => {
  const now = { memoryBytes: 100, cpuQuotaMicros: 5000, cpuShares: 10 };
  const up = { memoryBytes: 200, cpuQuotaMicros: 9000, cpuPeriodMicros: 100, cpuShares: 20 };
  const down = { memoryBytes: 50, cpuQuotaMicros: 2000, cpuPeriodMicros: 100, cpuShares: 5 };
  const rows = [
    { name: "what grows is written before containers", order: "grow", wanted: up, is: up },
    { name: "and not again after them", order: "shrink", wanted: up, is: {} },
    { name: "what shrinks waits for containers", order: "grow", wanted: down, is: {} },
    { name: "and is written after them", order: "shrink", wanted: down, is: down },
    {
      name: "one grows, one shrinks",
      order: "grow",
      wanted: { ...now, memoryBytes: 200, cpuShares: 5 },
      is: { memoryBytes: 200 },
    },
    { name: "a limit that is taken away stays", order: "grow", wanted: { cpuShares: 10 }, is: {} },
    {
      name: "an end of the quota is growth",
      order: "grow",
      wanted: { cpuQuotaMicros: -1, cpuPeriodMicros: 100 },
      is: { cpuQuotaMicros: -1, cpuPeriodMicros: 100 },
    },
  ] as const;
  for (const { name, order, wanted, is } of rows) it(name, () => expect(planResize(now, wanted, order)).toEqual(is));

  it("a first limit is a shrinking", () =>
    expect(
      planResize({ memoryBytes: undefined, cpuQuotaMicros: undefined, cpuShares: 2 }, { memoryBytes: 5 }, "shrink"),
    ).toEqual({
      memoryBytes: 5,
    }));
});

describe("where groups are", () => {
  const v1 = [
    "30 1 0:1 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid - cgroup cgroup rw,cpu,cpuacct",
    "31 1 0:2 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
    "32 1 0:3 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset,clone_children",
    "33 1 0:4 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,release_agent=/x,name=systemd",
    "34 1 0:5 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw",
    "35 1 0:2 / /elsewhere/mounted/memory/again rw - cgroup cgroup rw,memory",
  ].join("\n");
  it("on v1, and on machines with both", () => {
    const { version, controllers, unified } = planLayout(parseMountInfo(v1), undefined);
    expect([version, unified, Object.fromEntries(controllers)]).toEqual([
      1,
      "/sys/fs/cgroup/unified",
      {
        cpu: "/sys/fs/cgroup/cpu,cpuacct",
        cpuacct: "/sys/fs/cgroup/cpu,cpuacct",
        memory: "/sys/fs/cgroup/memory",
        cpuset: "/sys/fs/cgroup/cpuset",
        "name=systemd": "/sys/fs/cgroup/systemd",
      },
    ]);
  });
  const v2 = parseMountInfo("30 1 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate");
  it("on v2", () => {
    const { version, controllers } = planLayout(v2, "cpuset cpu io memory pids rdma\n");
    expect([version, [...controllers.keys()]]).toEqual([2, ["cpu", "cpuset", "memory", "pids"]]);
  });
  it("a machine without a controller that pods need is refused", () => {
    expect(() => planLayout(v2, "cpu pids\n")).toThrow("missing cgroup v2 controllers: cpuset, memory");
    expect(() => planLayout([], undefined)).toThrow("no control groups are mounted");
  });
});
