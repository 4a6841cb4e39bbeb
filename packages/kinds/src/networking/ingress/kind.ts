import type { Ingress } from "@coxswain/api/networking/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { ingressColumns } from "./columns.js";
import { ingressStatusStrategy, ingressStrategy } from "./strategy.js";

export type StoredIngress = Stored<Ingress, "spec" | "status">;

export const ingressKind = builtInKind<StoredIngress>("networking.k8s.io", "v1", "ingresses", {
  strategy: ingressStrategy,
  views: { status: ingressStatusStrategy },
  columns: ingressColumns,
});
