import type { AnyKind } from "@coxswain/kinds";
import type { Projection } from "../objects/projection.js";

/** What a resource request is about, once the router has found it. */
export interface Target {
  readonly kind: AnyKind;
  /** `kind` is a view's own; this leads to what is stored. */
  readonly projection?: Projection;
  /** "" for the object itself. */
  readonly view: string;
  /** "" for cluster-wide kinds and for all namespaces. */
  readonly namespace: string;
  readonly name: string;
}
