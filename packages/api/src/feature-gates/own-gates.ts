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
