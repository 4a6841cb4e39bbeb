import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath, invalid } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { checkDnsSubdomainBytes, type NameCheck } from "@coxswain/apimachinery/validation";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { isExtendedResource } from "../../pod-spec/resources/resource-names.js";
import { checkBoundedList } from "../bounded-list.js";
import { checkConfiguration, mostConfigurations } from "../device-claim/configuration.js";
import { checkSelectors } from "../device-claim/selectors.js";
import type { StoredDeviceClass } from "./stored.js";

type Class = DeepReadonly<StoredDeviceClass>;

const specPath = fieldPath("spec");
/** What a name is to begin with is not looked at. */
const checkName: NameCheck = (name, prefix = false) => (prefix ? [] : checkDnsSubdomainBytes(name));
const metaRules = { namespaced: false, checkName };

export const checkDeviceClass = (next: Class, context: StrategyContext): FieldError[] => [
  ...checkObjectMeta(next.metadata, metaRules),
  ...checkSpec(next, undefined, context),
];

export const checkDeviceClassUpdate = (next: Class, old: Class, context: StrategyContext): FieldError[] => [
  ...checkObjectMeta(next.metadata, metaRules),
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkSpec(next, old, context),
];

function checkSpec({ spec }: Class, old: Class | undefined, context: StrategyContext): FieldError[] {
  const { selectors, config, extendedResourceName: name } = spec;
  const isStored = old !== undefined && equalJson(config, old.spec.config);
  const errors = [
    ...checkSelectors(selectors, specPath.child("selectors"), {
      context,
      isStored: old !== undefined && equalJson(selectors, old.spec.selectors),
    }),
    ...checkBoundedList(config, mostConfigurations, specPath.child("config"), (one, at) =>
      checkConfiguration(one, at, isStored),
    ),
  ];
  if (name !== undefined && !isExtendedResource(name))
    errors.push(invalid(specPath.child("extendedResourceName"), name, "must be a valid extended resource name"));
  return errors;
}
