import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Status } from "@coxswain/apimachinery/status";
import { builtInTypes } from "../tables/index.js";

// What Kubernetes 1.7 to 1.13 called initializers; later releases know nothing of them.

/** `metadata.initializers`: as long as it is there, the object is hidden. */
export interface Initializers {
  /** Who has yet to act on the object, in this order. */
  pending: { name: string }[];
  /** Why the object could not be initialized. */
  result?: Status;
}

export type Initialized = KubernetesObject & { metadata: { initializers?: Initializers } };

/** For the whole process: metadata has the member from now on. Before the first object is decoded. */
export function addInitializers(): void {
  builtInTypes.extend("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "initializers *Initializers 16 o", [
    "Initializer\nname s 1 r",
    "Initializers\npending []Initializer 1 r ps=merge pk=name lt=map lk=name\nresult *Status 2 o",
  ]);
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
