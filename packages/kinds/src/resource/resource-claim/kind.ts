import { builtInKind } from "../../built-in/built-in-kind.js";
import { claimDefaults } from "../device-claim/defaults.js";
import { deviceGates } from "../disabled-fields.js";
import { resourceClaimColumns } from "./columns.js";
import type { StoredResourceClaim } from "./stored.js";
import { resourceClaimStatusStrategy, resourceClaimStrategy } from "./strategy.js";

export type { StoredResourceClaim };

export const resourceClaimKind = builtInKind<StoredResourceClaim>("resource.k8s.io", "v1", "resourceclaims", {
  ownGates: deviceGates,
  typeDefaults: claimDefaults,
  strategy: resourceClaimStrategy,
  views: { status: resourceClaimStatusStrategy },
  returnsDeletedObject: true,
  columns: resourceClaimColumns,
});
