import type { FeatureGateInfo } from "./feature-gate-info.js";

/**
 * Answers without managed fields for clients that ask for it: `Accept: application/json;drop=metadata.managedFields` (KEP-5958, merged
 * upstream after 1.36). Alpha, so off; `coxswain up` turns it on, because most of a Table is managed fields.
 */
export const managedFieldsOptOutGate: FeatureGateInfo = {
  name: "ManagedFieldsOptOut",
  stage: "Alpha",
  default: false,
  locked: false,
  owner: "apiserver",
  requires: [],
};

/**
 * Upstream's gate of 1.24 to 1.28, here again: off, each service account gets a Secret with a token and refers to it in `.secrets`, as
 * before 1.24 (KEP-2799). On by default.
 */
export const noTokenSecretsGate: FeatureGateInfo = {
  name: "LegacyServiceAccountTokenNoAutoGeneration",
  stage: "Deprecated",
  default: true,
  locked: false,
  owner: "controllers",
  requires: [],
};

/** What upstream's components of 1.36 do not know, or know no longer. */
export const ownFeatureGates: readonly FeatureGateInfo[] = [managedFieldsOptOutGate, noTokenSecretsGate];
