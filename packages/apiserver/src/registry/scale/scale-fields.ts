import { type ReplicasPaths } from "@coxswain/apimachinery/managed-fields";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import {
  type LabelSelector,
  labelSelectorFromObject,
  selectorFromLabels,
  SelectorError,
} from "@coxswain/apimachinery/selector";
import { badRequest, internalError } from "@coxswain/apimachinery/status";
import type { AnyKind, ScalePaths } from "@coxswain/kinds";

/** Where an object has what its Scale shows. */
export interface ScaleFields {
  /** Where managed fields of the object have its replicas, by version. */
  readonly paths: ReplicasPaths;
  replicas(object: KubernetesObject): number;
  statusReplicas(object: KubernetesObject): number;
  selector(object: KubernetesObject): string;
  setReplicas(object: KubernetesObject, replicas: number): void;
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
    setReplicas: (object, replicas) => void ((object as Scaled).spec.replicas = replicas),
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

/** Of a custom resource, where its definition says. */
function customFields(kind: AnyKind, { specReplicas, statusReplicas, labelSelector }: ScalePaths): ScaleFields {
  const versions = kind.storedForm?.apiVersions ?? [formatGroupVersion(kind)];
  return {
    paths: new Map(versions.map((version) => [version, specReplicas.map((name) => `f:${name}`)])),
    replicas(object) {
      const value = valueAt(object, specReplicas);
      if (typeof value === "number") return value;
      throw internalError(`the spec replicas field ${JSON.stringify(`.${specReplicas.join(".")}`)} does not exist`);
    },
    statusReplicas: (object) => Number(valueAt(object, statusReplicas) ?? 0),
    selector: (object) => String((labelSelector && valueAt(object, labelSelector)) ?? ""),
    setReplicas: (object, replicas) => setAt(object as unknown as Record<string, unknown>, specReplicas, replicas),
  };
}

const valueAt = (object: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? getOwn(at as Record<string, unknown>, name) : undefined),
    object,
  );

function setAt(object: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) return setOwn(object, name, value);
  const child = getOwn<unknown>(object, name);
  const next = typeof child === "object" && child !== null ? (child as Record<string, unknown>) : {};
  setOwn(object, name, next);
  setAt(next, rest, value);
}
