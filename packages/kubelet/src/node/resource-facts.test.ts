import { describe, expect, it } from "vitest";
import { planResources } from "../cri/plan-resources.js";
import type { MachineFacts } from "../machine/machine.js";
import { c, pod } from "../pod/pod.test.support.js";
import type { RealKubeletConfig } from "./real-config.js";
import { resourceFacts } from "./resource-facts.js";

const machine = { memoryBytes: 1024 ** 3, cgroupVersion: 2, hugePages: [] as unknown } as MachineFacts;

describe("limits of containers are planned by", () => {
  it("the sizes of huge pages that the machine has: a limit of them reaches the container", () => {
    const hugePages = [{ sizeBytes: 2 * 1024 ** 2, count: 7 }];
    const container = c("a", { resources: { limits: { "hugepages-2Mi": "4Mi" } } });
    const { hugepageLimits } = planResources(pod(), container, resourceFacts({ ...machine, hugePages }, {}));
    expect(hugepageLimits).toEqual([{ pageSize: "2MB", limit: 4 * 1024 ** 2 }]);
  });

  const kills: { cgroupVersion: 1 | 2; config: RealKubeletConfig; isSingle: boolean }[] = [
    { cgroupVersion: 1, config: {}, isSingle: true },
    { cgroupVersion: 2, config: {}, isSingle: false },
    { cgroupVersion: 2, config: { singleProcessOOMKill: true }, isSingle: true },
  ];
  for (const { cgroupVersion, config, isSingle } of kills)
    it(`cgroup v${cgroupVersion} with ${JSON.stringify(config)}: without memory ${isSingle ? "one process" : "the container"} is killed`, () =>
      expect(resourceFacts({ ...machine, cgroupVersion }, config).killsSingleProcess).toBe(isSingle));
});
