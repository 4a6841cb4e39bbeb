import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";

/** Finds the kind of an object that the server makes itself. */
export type KindOf = (object: KubernetesObject) => AnyKind;

/** By apiVersion and kind. Throws for what is not among the kinds: the server makes only what it serves. */
export function kindFinder(kinds: readonly AnyKind[]): KindOf {
  const byName = new Map(
    kinds.map((kind) => [`${kind.group === "" ? "" : `${kind.group}/`}${kind.version} ${kind.kind}`, kind]),
  );
  return ({ apiVersion, kind }) => {
    const found = byName.get(`${apiVersion} ${kind}`);
    if (!found) throw new Error(`no kind ${apiVersion} ${kind} is served`);
    return found;
  };
}
