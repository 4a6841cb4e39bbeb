import { type AnyKind, builtInKinds } from "@coxswain/kinds";

/** By group and resource. */
const byName = new Map<string, Map<string, AnyKind>>();
for (const kind of builtInKinds)
  byName.set(kind.group, (byName.get(kind.group) ?? new Map<string, AnyKind>()).set(kind.resource, kind));

/** The built-in kind of a resource. Throws for one that is not stored. */
export function storedKind(group: string, resource: string): AnyKind {
  const kind = byName.get(group)?.get(resource);
  if (!kind) throw new Error(`no kind ${resource} of group ${group === "" ? "core" : group} is stored`);
  return kind;
}
