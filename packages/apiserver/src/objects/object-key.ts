import type { AnyKind } from "@coxswain/kinds";
import { registryPrefix } from "../cache/registry-prefix.js";

/** Where an object stands in the store, as Kubernetes writes it. */
export const objectKey = (kind: AnyKind, namespace: string, name: string): string =>
  kind.namespaced ? `${registryPrefix}${kind.storagePrefix}/${namespace}/${name}` : `${registryPrefix}${kind.storagePrefix}/${name}`;

/** The common start of all keys of a namespace, or of all of them. */
export const collectionPrefix = (kind: AnyKind, namespace: string): string =>
  kind.namespaced && namespace !== "" ? `${registryPrefix}${kind.storagePrefix}/${namespace}/` : `${registryPrefix}${kind.storagePrefix}/`;
