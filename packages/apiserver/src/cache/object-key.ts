import type { AnyKind } from "@coxswain/kinds";
import { registryPrefix } from "./registry-prefix.js";

/** Where an object stands in the store, as Kubernetes writes it. */
export const objectKey = (kind: AnyKind, namespace: string, name: string): string =>
  kind.namespaced ? `${startOf(kind)}${namespace}/${name}` : startOf(kind) + name;

/** The common start of all keys of a namespace, or of all of them. */
export const collectionPrefix = (kind: AnyKind, namespace: string): string =>
  kind.namespaced && namespace !== "" ? `${startOf(kind)}${namespace}/` : startOf(kind);

/** Part of every key: put together once. */
const starts = new WeakMap<AnyKind, string>();

function startOf(kind: AnyKind): string {
  let start = starts.get(kind);
  if (start === undefined) starts.set(kind, (start = `${registryPrefix}${kind.storagePrefix}/`));
  return start;
}
