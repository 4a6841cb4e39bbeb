import { forbidden, type StatusError } from "@coxswain/apimachinery/status";
import { resourceOf } from "../../catalogue/resource-of.js";
import type { AdmissionAttributes } from "../admission.js";

/** A refusal that names the object, never its subresource. */
export function refuse({ kind, name, object }: AdmissionAttributes, why: string): StatusError {
  const made = object?.metadata?.name || (object?.metadata?.generateName ?? "");
  return forbidden(resourceOf(kind), name || made || "Unknown", why);
}
