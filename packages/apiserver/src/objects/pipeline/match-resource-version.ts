import { fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { parseResourceVersion } from "@coxswain/apimachinery/resource-version";
import { conflict, invalid, objectModified, StatusError } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { resourceOf } from "../../catalogue/resource-of.js";
import type { PendingWrite } from "./pending-write.js";

/** An update that names a resourceVersion replaces that one alone. */
export function matchResourceVersion(write: PendingWrite): void {
  const { object, current, storedScope } = write;
  const { kind, version, name } = storedScope;
  if (!current) {
    if (write.request === "create") return; // `refuseResourceVersion` comes later, where upstream's store does it
    revisionOf(object);
    delete object.metadata.resourceVersion; // there is nothing it could be compared with
    return;
  }
  const wanted = revisionOf(object);
  if (wanted === current.revision) return;
  if (wanted !== 0) throw conflict(resourceOf(version ?? kind), name, objectModified);
  if (!(kind.strategy.allowUnconditionalUpdate ?? true)) throw resourceVersionNeeded(kind, name);
  object.metadata.resourceVersion = String(current.revision);
}

/** Upstream's store refuses it, which a dry run does not reach, and only what it can read (storage/etcd3/store.go, `Create`). */
export function refuseResourceVersion({ current, storedScope, object: { metadata } }: PendingWrite): void {
  if (current || storedScope.dryRun || !/^0*[1-9]\d*$/.test(metadata.resourceVersion ?? "")) return;
  const message = "resourceVersion should not be set on objects to be created";
  throw new StatusError({ code: 500, reason: "", message });
}

const resourceVersionNeeded = ({ group, resource }: AnyKind, name: string): StatusError =>
  invalid({ group, kind: resource }, name, [
    invalidField(fieldPath("metadata", "resourceVersion"), 0, "must be specified for an update"),
  ]);

/** 0: none. What is no revision is a 500 upstream. */
function revisionOf({ metadata }: KubernetesObject): number {
  const { revision, error } = parseResourceVersion(metadata.resourceVersion ?? "");
  if (error) throw new StatusError({ code: 500, reason: "", message: error.detail });
  return revision;
}
