import type { Namespace } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Lister } from "../../cache/lister.js";
import type { PodSecurityConfiguration } from "./configuration.js";

export interface PodSecurityDeps {
  readonly namespaces: Lister<Namespace & KubernetesObject>;
  readonly pods: Lister<StoredPod>;
  readonly configuration: PodSecurityConfiguration;
  /** Milliseconds of any clock. */
  now(): number;
}
