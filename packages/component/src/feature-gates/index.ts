export { type ChosenFeatureGates, createFeatureGates, type FeatureGates, type GateFacts } from "./feature-gates.js";
