import { featureGates } from "../gen/feature-gates.js";
import type { FeatureGateInfo } from "./feature-gate-info.js";

/** Every gate that a component of 1.36 knows, sorted by name. */
export const builtInFeatureGates: readonly FeatureGateInfo[] = featureGates;

export type { FeatureGateInfo } from "./feature-gate-info.js";
export { managedFieldsOptOutGate, noTokenSecretsGate, ownFeatureGates } from "./own-gates.js";
