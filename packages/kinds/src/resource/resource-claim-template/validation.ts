import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath } from "@coxswain/apimachinery/field";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { internalValue } from "../../internal-form/internal-form.js";
import { checkTemplateMetadata } from "../../pod-spec/volumes/claim-template.js";
import { checkAdminAccess } from "../device-claim/admin-access.js";
import { checkClaimSpec } from "../device-claim/validation.js";
import type { StoredResourceClaimTemplate } from "./stored.js";

type Template = DeepReadonly<StoredResourceClaimTemplate>;

const specPath = fieldPath("spec");

export const checkResourceClaimTemplate = (template: Template, context: StrategyContext): FieldError[] => [
  ...checkAdminAccess(template.spec.spec.devices?.requests, template.metadata.namespace, context),
  ...checkAlways(template, context),
];

export const checkResourceClaimTemplateUpdate = (
  next: Template,
  old: Template,
  context: StrategyContext,
): FieldError[] => [
  ...checkAlways(next, context),
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkImmutable(next.spec, old.spec, specPath, internalValue("ResourceClaimTemplateSpec", next.spec)),
];

const checkAlways = ({ metadata, spec }: Template, context: StrategyContext): FieldError[] => [
  ...checkObjectMeta(metadata, { namespaced: true }),
  ...checkTemplateMetadata(spec.metadata ?? {}, specPath.child("metadata")),
  ...checkClaimSpec(spec.spec, specPath.child("spec"), { context, isStored: false }),
];
