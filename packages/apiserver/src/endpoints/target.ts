import type { AnyKind } from "@coxswain/kinds";

/** What a resource request is about, once the router has found it. */
export interface Target {
  readonly kind: AnyKind;
  /** "" for the object itself. */
  readonly view: string;
  /** "" for cluster-wide kinds and for all namespaces. */
  readonly namespace: string;
  readonly name: string;
}
