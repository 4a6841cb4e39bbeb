import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { fieldPath } from "@coxswain/apimachinery/field";
import { checkCaBundle } from "../../checks/ca-bundle.js";
import {
  findCondition,
  isConditionTrue,
  isSameCondition,
  type Status,
  type WantedCondition,
  withCondition,
} from "./conditions.js";

type Definition = DeepReadonly<Pick<CustomResourceDefinition, "spec" | "status">>;

/**
 * The status of a definition whose names were accepted and that every server serves by now; undefined where there is
 * nothing to do.
 */
export function planEstablishing(definition: Definition, now: number): Status | undefined {
  const { spec, status = {} } = definition;
  if (!isConditionTrue(definition, "NamesAccepted") || isConditionTrue(definition, "Established")) return undefined;
  const wanted = wantedCondition(spec.conversion?.webhook?.clientConfig?.caBundle);
  if (isSameCondition(wanted, findCondition(definition, "Established"))) return undefined;
  return withCondition(status, wanted, now);
}

/** A server that cannot call the conversion webhook cannot serve the resource. */
const wantedCondition = (caBundle: string | undefined): WantedCondition =>
  caBundle && checkCaBundle(caBundle, fieldPath("")).length > 0
    ? {
        type: "Established",
        status: "False",
        reason: "InvalidCABundle",
        message: "The conversion webhook CABundle is invalid",
      }
    : {
        type: "Established",
        status: "True",
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
      };
