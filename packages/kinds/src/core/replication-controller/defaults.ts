import { ownKeys } from "@coxswain/apimachinery/own";
import type { StoredReplicationController } from "./stored.js";

/** It selects the pods that it makes, and looks like them, unless the client sets otherwise. How many is a default of the tables. */
export function setReplicationControllerDefaults({ metadata, spec }: StoredReplicationController): void {
  const labels = spec.template?.metadata?.labels;
  if (!labels) return;
  if (ownKeys(spec.selector).length === 0) spec.selector = { ...labels };
  if (ownKeys(metadata.labels).length === 0) metadata.labels = { ...labels };
}
