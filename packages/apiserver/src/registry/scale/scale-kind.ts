import type { Scale } from "@coxswain/api/autoscaling/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind, ColumnDefinition } from "@coxswain/kinds";
import { age } from "@coxswain/kinds/definition";
import { bodyKind } from "../contract/body-kind.js";

export type StoredScale = Scale & KubernetesObject;

const column = (name: string, type: ColumnDefinition["type"], description: string): ColumnDefinition => ({
  name,
  type,
  format: "",
  description,
  priority: 0,
});

/** How many there are to be, and how many there are: the same for everything that has replicas. */
export const scaleKind: AnyKind = createScaleKind(true);
/** Of custom resources outside namespaces. */
export const clusterScaleKind: AnyKind = createScaleKind(false);

function createScaleKind(namespaced: boolean): AnyKind {
  return bodyKind("autoscaling", "v1", "Scale", "io.k8s.api.autoscaling.v1.Scale", {
    namespaced,
    views: { scale: { resetFields: [] } },
    columns: {
      columns: [
        column("Name", "string", "The name of the object that is scaled."),
        column("Desired", "integer", "How many replicas are wanted."),
        column("Available", "integer", "How many replicas there are."),
        column("Age", "string", "Time since the object was created."),
      ],
      cells: ({ metadata, spec, status }: StoredScale, now) => [
        metadata.name ?? "",
        spec?.replicas ?? 0,
        status?.replicas ?? 0,
        age(metadata.creationTimestamp, now),
      ],
    },
  });
}
