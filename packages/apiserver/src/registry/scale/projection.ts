import { fieldPath } from "@coxswain/apimachinery/field";
import { walk } from "@coxswain/apimachinery/json";
import { entriesAfterScale, entriesOfScale } from "@coxswain/apimachinery/managed-fields";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { conflict, invalid } from "@coxswain/apimachinery/status";
import { validateNonnegative } from "@coxswain/apimachinery/validation";
import type { AnyKind } from "@coxswain/kinds";
import { checkObjectMeta } from "@coxswain/kinds/object-meta";
import { entriesOf, withEntries } from "../../objects/managed-fields.js";
import type { Projection } from "../../objects/projection.js";
import { type ScaleFields, scaleFieldsOf } from "./scale-fields.js";
import { type StoredScale, scaleKind } from "./scale-kind.js";

export function scaleProjection(stored: AnyKind): Projection {
  const resource = { group: stored.group, resource: `${stored.resource}/scale` };
  const fields = scaleFieldsOf(stored);
  const { paths } = fields;
  return {
    stored,
    project: (object) => scaleOf(fields, object),
    restore(object, requested) {
      const { metadata, spec } = requested as StoredScale;
      const name = object.metadata.name ?? "";
      // Of a custom resource, its own validation checks the replicas.
      const problems = stored.scale
        ? []
        : [
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
        scale: entriesOf(requested),
        paths,
        apiVersion: formatGroupVersion(stored),
      });
      const next = fields.withReplicas(withEntries(object, entries), spec?.replicas ?? 0);
      if (metadata.resourceVersion === undefined) {
        if (!stored.scale) delete next.metadata.resourceVersion;
      } else next.metadata.resourceVersion = metadata.resourceVersion;
      return next;
    },
  };
}

function scaleOf(fields: ScaleFields, object: KubernetesObject): KubernetesObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const scale = {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: fields.replicas(object) },
    status: { replicas: fields.statusReplicas(object), selector: fields.selector(object) },
  };
  return withEntries(
    walk(scale, scaleKind.schema) as KubernetesObject,
    entriesOfScale(entriesOf(object), fields.paths),
  );
}
