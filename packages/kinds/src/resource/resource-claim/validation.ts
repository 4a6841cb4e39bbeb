import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath } from "@coxswain/apimachinery/field";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { internalValue } from "../../internal-form/internal-form.js";
import { checkAdminAccess } from "../device-claim/admin-access.js";
import { checkClaimSpec } from "../device-claim/validation.js";
import type { StoredResourceClaim } from "./stored.js";

type Claim = DeepReadonly<StoredResourceClaim>;

const specPath = fieldPath("spec");

export const checkResourceClaim = ({ metadata, spec }: Claim, context: StrategyContext): FieldError[] => [
  ...checkAdminAccess(spec.devices?.requests, metadata.namespace, context),
  ...checkObjectMeta(metadata, { namespaced: true }),
  ...checkClaimSpec(spec, specPath, { context, isStored: false }),
];

export const checkResourceClaimUpdate = (next: Claim, old: Claim): FieldError[] => [
  ...checkObjectMeta(next.metadata, { namespaced: true }),
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkImmutable(next.spec, old.spec, specPath, internalValue("ResourceClaimSpec", next.spec)),
];
