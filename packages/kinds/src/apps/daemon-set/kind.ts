import { builtInKind } from "../../built-in/built-in-kind.js";
import { parseIntProblem } from "../../definition/number-annotation.js";
import { podSpecDefaults } from "../../pod-spec/defaults.js";
import { daemonSetColumns } from "./columns.js";
import { setDaemonSetDefaults } from "./defaults.js";
import type { StoredDaemonSet } from "./stored.js";
import { daemonSetStatusStrategy, daemonSetStrategy } from "./strategy.js";
import { templateGenerationAnnotation } from "./template-generation.js";

export type { StoredDaemonSet };

export const daemonSetKind = builtInKind<StoredDaemonSet>("apps", "v1", "daemonsets", {
  setDefaults: setDaemonSetDefaults,
  typeDefaults: podSpecDefaults,
  strategy: daemonSetStrategy,
  views: { status: daemonSetStatusStrategy },
  columns: daemonSetColumns,
  numberAnnotation: { name: templateGenerationAnnotation, problem: parseIntProblem },
});
