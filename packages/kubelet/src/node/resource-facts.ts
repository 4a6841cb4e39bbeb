import type { ResourceFacts } from "../cri/plan-resources.js";
import type { MachineFacts } from "../machine/machine.js";
import { type RealKubeletConfig, realRules } from "./real-config.js";

/** Pure: what the limits of containers are planned by on this machine. */
export const resourceFacts = (
  { memoryBytes, cgroupVersion, hugePages }: MachineFacts,
  config: RealKubeletConfig,
): ResourceFacts => ({
  memoryBytes,
  cgroupVersion,
  hugePageBytes: hugePages.map(({ sizeBytes }) => sizeBytes),
  quotaPeriod: realRules(config).quotaPeriod,
  killsSingleProcess: config.singleProcessOOMKill ?? cgroupVersion === 1,
});
