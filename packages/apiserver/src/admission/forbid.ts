import { forbidden, type StatusError } from "@coxswain/apimachinery/status";
import { resourceOf } from "../catalogue/resource-of.js";
import type { AdmissionAttributes } from "./admission.js";

/** A plugin's refusal. An object that has no name yet is shown by what its name will be made of. */
export function forbid({ kind, name, object }: AdmissionAttributes, why: string): StatusError {
  const shown = name === "" ? object?.metadata.name || object?.metadata.generateName || "Unknown" : name;
  return forbidden(resourceOf(kind), shown, why);
}
