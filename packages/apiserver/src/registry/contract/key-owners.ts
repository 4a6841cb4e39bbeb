import type { AnyKind } from "@coxswain/kinds";

/** Whose key it is. */
export interface KeyOwner {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  /** "" for cluster-wide kinds. */
  readonly namespace: string;
  readonly name: string;
}

export interface KeyOwners {
  of(key: string): KeyOwner;
  /** Kinds that are served now, each once. */
  kinds(): readonly AnyKind[];
}
