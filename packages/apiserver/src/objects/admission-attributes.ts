import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { AdmissionAttributes, AdmissionOperation } from "../admission/admission.js";
import type { WriteScope } from "./write-scope.js";

/** What admission is asked about. */
export interface AdmittedWrite {
  readonly operation: AdmissionOperation;
  readonly object: KubernetesObject | undefined;
  readonly old?: KubernetesObject | undefined;
  /** @default the scope's kind */
  readonly kind?: AnyKind;
  /** @default the scope's name */
  readonly name?: string;
}

export function attributesOf(
  scope: WriteScope,
  { operation, object, old, kind = scope.kind, name = scope.name }: AdmittedWrite,
): AdmissionAttributes {
  return {
    operation,
    kind,
    subresource: scope.view,
    // Admission sees a namespace as if it were inside itself.
    namespace: scope.kind.group === "" && scope.kind.kind === "Namespace" ? name : scope.namespace,
    name,
    object,
    old,
    user: scope.user,
    dryRun: scope.dryRun,
    request: scope,
  };
}
