import { age } from "../definition/age.js";
import { ageColumn, type Cell, type ColumnDefinition, column, nameColumn } from "../definition/columns.js";
import { containerCells } from "./containers.js";

/** Of the kinds that keep a number of pods: ReplicaSet and ReplicationController. */
export const replicaColumns: readonly ColumnDefinition[] = [
  nameColumn,
  column("Desired", "integer", "How many pods are wanted."),
  column("Current", "integer", "How many pods there are."),
  column("Ready", "integer", "How many of them are ready."),
  ageColumn,
  column("Containers", "string", "The containers of its pods.", 1),
  column("Images", "string", "Their images.", 1),
  column("Selector", "string", "Which pods it counts as its own.", 1),
];

interface Replicated {
  readonly metadata: { readonly name?: string; readonly creationTimestamp?: string | null };
  readonly spec: {
    readonly replicas?: number | null;
    readonly template?: { readonly spec?: { readonly containers?: Parameters<typeof containerCells>[0] } };
  };
  readonly status: { readonly replicas?: number; readonly readyReplicas?: number };
}

export const replicaCells = ({ metadata, spec, status }: Replicated, selector: string, now: number): Cell[] => [
  metadata.name ?? "",
  spec.replicas ?? 0,
  status.replicas ?? 0,
  status.readyReplicas ?? 0,
  age(metadata.creationTimestamp, now),
  ...containerCells(spec.template?.spec?.containers),
  selector,
];
