import type { FieldError } from "@coxswain/apimachinery/field";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { WriteScope } from "./write-scope.js";

/** A state that a user wants to store; `old` is undefined for a new object. */
export interface StateToAuthorize {
  readonly object: KubernetesObject;
  readonly old: KubernetesObject | undefined;
  readonly scope: WriteScope;
}

/**
 * What a user may write into objects of a kind, beyond being allowed to write them at all: permissions that they do not hold
 * (RBAC), parameters that they may not read (admission policies), allocations (ResourceClaim status).
 */
export interface WriteAuthorization {
  /** After mutating admission, before the kind prepares the object; not called for views. Throws StatusError to refuse. */
  authorizeWrite?(state: StateToAuthorize): Promise<void>;
  /** Refusals as field errors, of a state that its kind finds valid; not called for views. */
  authorizeValid?(state: StateToAuthorize): Promise<readonly FieldError[]>;
  /** Refusals as field errors, of a change through a view such as `status`; called with the kind's own validation. */
  authorizeView?(state: StateToAuthorize & { readonly old: KubernetesObject }): Promise<readonly FieldError[]>;
}
