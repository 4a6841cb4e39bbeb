import { type AnyKind, builtInKinds } from "@coxswain/kinds";

const byResource = new Map(builtInKinds.map((kind) => [`${kind.group}/${kind.resource}`, kind]));

/** The built-in kind of a resource. Throws for one that is not stored. */
export function storedKind(group: string, resource: string): AnyKind {
  const kind = byResource.get(`${group}/${resource}`);
  if (!kind) throw new Error(`no kind ${resource} of group ${group === "" ? "core" : group} is stored`);
  return kind;
}
