import type { SchemaNode } from "./schema-node.js";

/** Structs that may get members while the process runs: for metadata of older releases (initializers). */
const extensible: ReadonlySet<string> = new Set(["io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"]);

const followers = new WeakMap<SchemaNode, (() => void)[]>();

export const isExtensible = (name: string): boolean => extensible.has(name);

/** Calls `refresh` when the node has got a member: for an engine that keeps what it works out of a node. */
export function followExtension(node: SchemaNode, refresh: () => void): void {
  if (!extensible.has(node.name)) return; // for all but one of a thousand types
  const known = followers.get(node);
  if (known) known.push(refresh);
  else followers.set(node, [refresh]);
}

export function reportExtension(node: SchemaNode): void {
  for (const refresh of followers.get(node) ?? []) refresh();
}
