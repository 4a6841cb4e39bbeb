import { decodeJson } from "@coxswain/apimachinery/json";
import type { AnyKind } from "@coxswain/kinds";

/** Groups and core resources whose objects the server itself acts on. They are few and change seldom, so that this costs next to nothing. */
const groups: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "flowcontrol.apiserver.k8s.io",
  "rbac.authorization.k8s.io",
  "scheduling.k8s.io",
]);
const coreResources: ReadonlySet<string> = new Set([
  "limitranges",
  "namespaces",
  "resourcequotas",
  "serviceaccounts",
  "services",
]);

/**
 * Throws where a value has members of other types than the kind's: authorization and admission read these objects without
 * looking at their types again. For all other kinds that it is JSON must do.
 */
export function checkSchema({ group, resource, schema }: AnyKind, value: Uint8Array): void {
  if (groups.has(group) || (group === "" && coreResources.has(resource))) decodeJson(value, schema);
}
