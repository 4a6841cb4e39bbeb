import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";

/** By apiVersion and kind. Throws for what is not among the kinds: the server makes only what it serves. */
export function kindFinder(kinds: readonly AnyKind[]): (object: KubernetesObject) => AnyKind {
  const byName = new Map(
    kinds.map((kind) => [`${kind.group === "" ? "" : `${kind.group}/`}${kind.version} ${kind.kind}`, kind]),
  );
  return ({ apiVersion, kind }) => {
    const found = byName.get(`${apiVersion} ${kind}`);
    if (!found) throw new Error(`no kind ${apiVersion} ${kind} is served`);
    return found;
  };
}
