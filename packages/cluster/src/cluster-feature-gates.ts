import { builtInFeatureGates, ownFeatureGates } from "@coxswain/api/feature-gates";
import { initializersGate } from "@coxswain/api/initializers";
import { type ChosenFeatureGates, createFeatureGates } from "@coxswain/component/feature-gates";

/** The gates of all components of a cluster: one set of values for all, and none is unknown to one of them. @throws Error in upstream's words */
export const clusterFeatureGates = (wanted?: ReadonlyMap<string, string>): ChosenFeatureGates =>
  createFeatureGates([...builtInFeatureGates, initializersGate, ...ownFeatureGates], wanted);
