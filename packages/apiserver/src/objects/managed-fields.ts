import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { ObjectDeps } from "./object-deps.js";
import type { WriteScope } from "./write-scope.js";

/** Who owns what after an ordinary write: the writer owns what it changed, and those who owned it no longer do. */
export function trackManagedFields(_deps: ObjectDeps, _scope: WriteScope, _live: KubernetesObject | undefined, next: KubernetesObject): KubernetesObject {
  return next;
}
