import { combinedFeatures } from "./combined-features.js";
import type { Feature } from "./feature.js";
import { formatFeatures } from "./format-features.js";
import { listFeatures } from "./list-features.js";
import { objectFeatures } from "./object-features.js";
import { ruleFeatures } from "./rule-features.js";
import { scalarFeatures } from "./scalar-features.js";

export const allFeatures: readonly Feature[] = [
  ...scalarFeatures,
  ...formatFeatures,
  ...listFeatures,
  ...objectFeatures,
  ...combinedFeatures,
  ...ruleFeatures,
];
