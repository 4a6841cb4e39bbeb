import { builtInKind } from "../../built-in/built-in-kind.js";
import { ingressColumns } from "./columns.js";
import type { StoredIngress } from "./stored.js";
import { ingressStatusStrategy, ingressStrategy } from "./strategy.js";

export type { StoredIngress };

export const ingressKind = builtInKind<StoredIngress>("networking.k8s.io", "v1", "ingresses", {
  strategy: ingressStrategy,
  views: { status: ingressStatusStrategy },
  columns: ingressColumns,
});
