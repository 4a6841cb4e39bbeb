import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { createTypeRegistry, type TypeRegistry, type TypeTable } from "@coxswain/apimachinery/schema";
import type { Status } from "@coxswain/apimachinery/status";
import { tables } from "../gen/tables.js";

// What Kubernetes 1.7 to 1.13 called initializers; later releases know nothing of them.

/** `metadata.initializers`: as long as it is there, the object is hidden. */
export interface Initializers {
  /** Who has yet to act on the object, in this order. */
  pending: { name: string }[];
  /** Why the object could not be initialized. */
  result?: Status;
}

export type Initialized = KubernetesObject & { metadata: { initializers?: Initializers } };

/** The built-in types of a server whose metadata has the member. Nothing is read before the first `get`. */
export const typesWithInitializers: TypeRegistry = createTypeRegistry(tables, addInitializers);

function addInitializers(table: TypeTable): TypeTable {
  if (table.package !== "io.k8s.apimachinery.pkg.apis.meta.v1") return table;
  const structs = new Map(table.structs)
    .set("ObjectMeta", `${table.structs.get("ObjectMeta")}\ninitializers *Initializers 16 o`)
    .set("Initializer", "Initializer\nname s 1 r")
    .set("Initializers", "Initializers\npending []Initializer 1 r ps=merge pk=name lt=map lk=name\nresult *Status 2 o");
  return { ...table, structs };
}

/** Off by default, and not among what AllAlpha switches on. */
export const initializersGate = {
  name: "Initializers",
  stage: "Deprecated",
  default: false,
  locked: false,
  requires: [],
} as const;

export interface InitializerConfiguration extends KubernetesObject {
  initializers?: {
    name: string;
    rules?: { apiGroups?: string[]; apiVersions?: string[]; resources?: string[] }[];
  }[];
}
