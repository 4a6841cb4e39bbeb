import type { AnyKind } from "@coxswain/kinds";
import type { VersionKind } from "../catalogue/version-kind.js";
import type { Projection } from "../objects/projection.js";

/** What a resource request is about, once the router has found it. */
export interface Target {
  /** The hub: what is stored and looked up. */
  readonly kind: AnyKind;
  /** The version of the client's request, where that is not the hub. */
  readonly version?: VersionKind | undefined;
  /** `kind` is a view's own; this leads to what is stored. */
  readonly projection?: Projection | undefined;
  /** "" for the object itself. */
  readonly view: string;
  /** "" for cluster-wide kinds and for all namespaces. */
  readonly namespace: string;
  readonly name: string;
}
