import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";

/** A subresource whose body is of another kind than the object it is stored in (Scale). What the client writes goes through here. */
export interface Projection {
  /** The kind that is stored. */
  readonly stored: AnyKind;
  /** What the client sees of the stored object: a private copy. */
  project(stored: KubernetesObject): KubernetesObject;
  /** The stored object with what the client requested in it; `stored` may be changed. Throws StatusError for a request that cannot be met. */
  restore(stored: KubernetesObject, requested: KubernetesObject): KubernetesObject;
}
