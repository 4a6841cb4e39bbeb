import { fieldPath } from "@coxswain/apimachinery/field";
import { walk } from "@coxswain/apimachinery/json";
import { entriesAfterScale, entriesOfScale, type ReplicasPaths } from "@coxswain/apimachinery/managed-fields";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import {
  type LabelSelector,
  labelSelectorFromObject,
  selectorFromLabels,
  SelectorError,
} from "@coxswain/apimachinery/selector";
import { badRequest, conflict, invalid } from "@coxswain/apimachinery/status";
import { validateNonnegative } from "@coxswain/apimachinery/validation";
import { type AnyKind, checkObjectMeta } from "@coxswain/kinds";
import { entriesOf, withEntries } from "../../objects/managed-fields.js";
import type { Projection } from "../../objects/projection.js";
import { scaleKind, type StoredScale } from "./scale-kind.js";

/** What everything with replicas has in common. */
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

export function scaleProjection(stored: AnyKind): Projection {
  const resource = { group: stored.group, resource: `${stored.resource}/scale` };
  const paths: ReplicasPaths = new Map(
    (versionsOf[stored.resource] ?? []).map((version) => [version, ["f:spec", "f:replicas"]]),
  );
  return {
    stored,
    project: (object) => scaleOf(stored, object as Scaled, paths),
    restore(object, wished) {
      const { metadata, spec } = wished as StoredScale;
      const name = object.metadata.name ?? "";
      const problems = [
        ...checkObjectMeta(metadata, { namespaced: true }),
        ...validateNonnegative(spec?.replicas ?? 0, fieldPath("spec", "replicas")),
      ];
      if (problems.length > 0) throw invalid({ group: "autoscaling", kind: "Scale" }, name, problems);
      if (metadata.uid && metadata.uid !== object.metadata.uid)
        throw conflict(
          resource,
          name,
          `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${object.metadata.uid ?? ""}`,
        );
      const entries = entriesAfterScale({
        parent: entriesOf(object),
        scale: entriesOf(wished),
        paths,
        apiVersion: formatGroupVersion(stored),
      });
      const next = withEntries(object, entries) as Scaled;
      next.spec.replicas = spec?.replicas ?? 0;
      if (metadata.resourceVersion === undefined) delete next.metadata.resourceVersion;
      else next.metadata.resourceVersion = metadata.resourceVersion;
      return next;
    },
  };
}

function scaleOf(kind: AnyKind, object: Scaled, paths: ReplicasPaths): KubernetesObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const scale = {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: object.spec.replicas },
    status: { replicas: object.status?.replicas ?? 0, selector: selectorText(kind, object) },
  };
  return withEntries(walk(scale, scaleKind.schema) as KubernetesObject, entriesOfScale(entriesOf(object), paths));
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
