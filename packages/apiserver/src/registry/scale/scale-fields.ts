import { type ReplicasPaths } from "@coxswain/apimachinery/managed-fields";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import {
  type LabelSelector,
  labelSelectorFromObject,
  SelectorError,
  selectorFromLabels,
} from "@coxswain/apimachinery/selector";
import { badRequest } from "@coxswain/apimachinery/status";
import type { AnyKind, ScalePaths } from "@coxswain/kinds";
import { readScale, replicasNeeded, withReplicas } from "@coxswain/kinds/custom-resources";

/** Stands for replicas that are not there, so that a write that leaves them out is refused: the smallest int32, as upstream has it (k8s.io/apiextensions-apiserver/pkg/registry/customresource/etcd.go, invalidSpecReplicas). */
export const unsetReplicas = -(2 ** 31);

/** Where an object has what its Scale shows. */
export interface ScaleFields {
  /** Where managed fields of the object have its replicas, by version. */
  readonly paths: ReplicasPaths;
  /** `unsetReplicas` where an object of a custom resource has none. */
  replicas(object: KubernetesObject): number;
  statusReplicas(object: KubernetesObject): number;
  selector(object: KubernetesObject): string;
  /** May change the object. */
  withReplicas(object: KubernetesObject, replicas: number): KubernetesObject;
}

export const scaleFieldsOf = (kind: AnyKind): ScaleFields =>
  kind.scale ? customFields(kind, kind.scale) : builtIn(kind);

/** What every built-in kind with replicas has in common. */
interface Scaled extends KubernetesObject {
  spec: { replicas?: number; selector?: LabelSelector | Readonly<Record<string, string>> };
  status?: { replicas?: number };
}

/** The versions that once served these kinds: entries of others are dropped. */
const versionsOf: Readonly<Record<string, readonly string[]>> = {
  deployments: ["apps/v1beta1", "apps/v1beta2", "apps/v1"],
  replicasets: ["apps/v1beta2", "apps/v1"],
  statefulsets: ["apps/v1beta1", "apps/v1beta2", "apps/v1"],
  replicationcontrollers: ["v1"],
};

function builtIn(kind: AnyKind): ScaleFields {
  return {
    paths: new Map((versionsOf[kind.resource] ?? []).map((version) => [version, ["f:spec", "f:replicas"]])),
    replicas: (object) => (object as Scaled).spec.replicas as number,
    statusReplicas: (object) => (object as Scaled).status?.replicas ?? 0,
    selector: (object) => selectorText(kind, object as Scaled),
    withReplicas(object, replicas) {
      (object as Scaled).spec.replicas = replicas;
      return object;
    },
  };
}

function selectorText(kind: AnyKind, { spec: { selector } }: Scaled): string {
  if (kind.resource === "replicationcontrollers")
    return selectorFromLabels(selector as Readonly<Record<string, string>> | undefined).toString();
  try {
    return labelSelectorFromObject(selector as LabelSelector | undefined).toString();
  } catch (err) {
    if (err instanceof SelectorError) throw badRequest(err.message);
    throw err;
  }
}

/** Of a custom resource, at the paths that its definition gives. */
function customFields(kind: AnyKind, scale: ScalePaths): ScaleFields {
  const versions = kind.storedForm?.apiVersions ?? [formatGroupVersion(kind)];
  return {
    paths: new Map(versions.map((version) => [version, scale.specReplicas.map((name) => `f:${name}`)])),
    replicas: (object) => readScale(object, scale).specReplicas ?? unsetReplicas,
    statusReplicas: (object) => readScale(object, scale).statusReplicas,
    selector: (object) => readScale(object, scale).selector,
    withReplicas(object, replicas) {
      if (replicas === unsetReplicas) throw replicasNeeded(scale);
      return withReplicas(object, replicas, scale);
    },
  };
}
