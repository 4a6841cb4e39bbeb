import type { Namespace } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Labels, Selector } from "@coxswain/apimachinery/selector";
import { notFound, type StatusError } from "@coxswain/apimachinery/status";
import type { Lister } from "../../cache/lister.js";
import { objectKey } from "../../cache/object-key.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { AdmissionAttributes } from "../admission.js";

export type NamespaceLister = Lister<Namespace & KubernetesObject>;

/** Whether a namespace selector lets a request through. An error counts only if everything else matches: it is returned. */
export function namespaceMatches(
  selector: Selector,
  attributes: AdmissionAttributes,
  namespaces: NamespaceLister,
): boolean | StatusError {
  const { namespace, kind, subresource, operation, object } = attributes;
  const isNamespace = kind.resource === "namespaces";
  if ((namespace === "" && !isNamespace) || selector.empty) return true; // cluster-wide resources are never exempted
  const isWritten = isNamespace && subresource === "" && (operation === "CREATE" || operation === "UPDATE");
  if (isWritten) return selector.matches(object?.metadata.labels as Labels);
  const found = namespaces.get(objectKey(storedKind("", "namespaces"), "", namespace));
  return found
    ? selector.matches(found.metadata.labels as Labels)
    : notFound({ group: "", resource: "namespaces" }, namespace);
}

/** Whether an object selector lets a request through: the new or the old object must match. */
export function objectMatches(selector: Selector, { object, old }: AdmissionAttributes): boolean {
  if (selector.empty) return true;
  return [object, old].some((each) => each !== undefined && selector.matches(each.metadata?.labels as Labels));
}
