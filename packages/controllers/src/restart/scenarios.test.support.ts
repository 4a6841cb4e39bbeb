import { accessScenarios } from "./access-scenarios.test.support.js";
import { deletionScenarios } from "./deletion-scenarios.test.support.js";
import { deviceScenarios } from "./device-scenarios.test.support.js";
import { endpointScenarios } from "./endpoint-scenarios.test.support.js";
import { nodeScenarios } from "./node-scenarios.test.support.js";
import type { Scenario } from "./scenario.test.support.js";
import { volumeScenarios } from "./volume-scenarios.test.support.js";
import { workloadScenarios } from "./workload-scenarios.test.support.js";

/** Work for every controller that writes. */
export const scenarios: readonly Scenario[] = [
  ...workloadScenarios,
  ...endpointScenarios,
  ...deletionScenarios,
  ...nodeScenarios,
  ...volumeScenarios,
  ...accessScenarios,
  ...deviceScenarios,
];
