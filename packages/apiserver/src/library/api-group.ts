import type { ServedKind } from "./own-kind-parts.js";

/** An API group of one's own. */
export interface ApiGroup {
  /** A domain: "wardle.example.com". */
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- strategies take objects both ways, so only `any` lets every kind in.
  readonly kinds: readonly ServedKind<any>[];
}
