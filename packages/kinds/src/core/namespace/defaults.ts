import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import type { StoredNamespace } from "./stored.js";

export const nameLabel = "kubernetes.io/metadata.name";

/** Every namespace carries its name as a label. A generated name is not known yet; the strategy sets the label then. */
export function setNamespaceDefaults({ metadata, status }: StoredNamespace): void {
  status.phase ||= "Active";
  if (!metadata.name) return;
  labelWithName(metadata);
}

export function labelWithName(metadata: StoredNamespace["metadata"]): void {
  metadata.labels ??= {};
  const name = metadata.name ?? "";
  if (getOwn(metadata.labels, nameLabel) !== name) setOwn(metadata.labels, nameLabel, name);
}
