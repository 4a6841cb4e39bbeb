import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath, forbidden, required } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { ownKeys } from "@coxswain/apimachinery/own";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkParameters, checkProvisioner } from "../parameters.js";
import type { StoredVolumeAttributesClass } from "./stored.js";

type Class = DeepReadonly<StoredVolumeAttributesClass>;

export const checkVolumeAttributesClass = ({ metadata, driverName, parameters }: Class): FieldError[] => [
  ...checkObjectMeta(metadata, { namespaced: false }),
  ...checkProvisioner(driverName, fieldPath("driverName")),
  ...checkParameters(parameters, fieldPath("parameters")),
  ...(ownKeys(parameters).length === 0
    ? [required(fieldPath("parameters"), "must contain at least one key/value pair")]
    : []),
];

export const checkVolumeAttributesClassUpdate = (next: Class, old: Class): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...(["driverName", "parameters"] as const)
    .filter((member) => !equalJson(next[member], old[member]))
    .map((member) => forbidden(fieldPath(member), `updates to ${member} are forbidden.`)),
  ...checkVolumeAttributesClass(next),
];
