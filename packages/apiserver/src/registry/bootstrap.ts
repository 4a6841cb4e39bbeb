import { isAlreadyExists } from "@coxswain/apimachinery/status";
import { namespaceKind } from "@coxswain/kinds/core/namespace";
import { createObject } from "../objects/create.js";
import type { ObjectDeps } from "../objects/object-deps.js";
import { objectKey } from "../objects/object-key.js";
import { walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";

/** Namespaces that are always there. */
const systemNamespaces = ["default", "kube-node-lease", "kube-public", "kube-system"];

/** What a server makes when it finds it missing. */
export async function createBootstrapObjects(deps: ObjectDeps): Promise<void> {
  await Promise.all(systemNamespaces.map((name) => ensureNamespace(deps, name)));
}

async function ensureNamespace(deps: ObjectDeps, name: string): Promise<void> {
  if (deps.feed.cacheOf(namespaceKind).get(objectKey(namespaceKind, "", name))) return;
  const scope = {
    kind: namespaceKind,
    view: "",
    namespace: "",
    name: "",
    user: { name: "system:apiserver", groups: ["system:masters"] },
    manager: "kube-apiserver",
    dryRun: false,
    signal: new AbortController().signal,
    warn: () => {},
  };
  const object = walk({ kind: "Namespace", apiVersion: "v1", metadata: { name } }, namespaceKind.schema) as KubernetesObject;
  namespaceKind.setDefaults?.(object as Parameters<NonNullable<typeof namespaceKind.setDefaults>>[0]);
  try {
    await createObject(deps, scope, object);
  } catch (err) {
    if (!isAlreadyExists(err)) throw err; // another server over the same store was faster
  }
}
