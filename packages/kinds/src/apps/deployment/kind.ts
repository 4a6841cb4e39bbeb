import { builtInKind } from "../../built-in/built-in-kind.js";
import { parseIntProblem } from "../../definition/number-annotation.js";
import { podSpecDefaults } from "../../pod-spec/defaults.js";
import { deploymentColumns } from "./columns.js";
import { rollbackAnnotation, setDeploymentDefaults } from "./defaults.js";
import type { StoredDeployment } from "./stored.js";
import { deploymentStatusStrategy, deploymentStrategy } from "./strategy.js";

export type { StoredDeployment };

function rollbackProblem(value: string): string | undefined {
  const problem = value === "" ? undefined : parseIntProblem(value);
  return problem === undefined
    ? undefined
    : `failed to parse annotation[${rollbackAnnotation}]=${value} as int64: ${problem}`;
}

export const deploymentKind = builtInKind<StoredDeployment>("apps", "v1", "deployments", {
  setDefaults: setDeploymentDefaults,
  typeDefaults: podSpecDefaults,
  strategy: deploymentStrategy,
  views: { status: deploymentStatusStrategy },
  columns: deploymentColumns,
  numberAnnotation: { name: rollbackAnnotation, problem: rollbackProblem },
});
