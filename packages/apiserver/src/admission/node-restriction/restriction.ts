import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import type { CSIDriver } from "@coxswain/api/storage/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Authorizer } from "../../authorization/attributes.js";
import type { Lister } from "../../cache/lister.js";
import type { AdmissionAttributes } from "../admission.js";

/** What the rules look things up in. */
export interface RestrictionDeps {
  readonly pods: Lister<StoredPod>;
  readonly nodes: Lister<KubernetesObject>;
  readonly claims: Lister<PersistentVolumeClaim>;
  readonly volumes: Lister<PersistentVolume>;
  readonly drivers: Lister<CSIDriver>;
  readonly authorizer: Authorizer;
  readonly gates: { enabled(gate: string): boolean };
}

/** Throws when the node may not write that. */
export type Restriction = (
  deps: RestrictionDeps,
  node: string,
  attributes: AdmissionAttributes,
) => void | Promise<void>;
