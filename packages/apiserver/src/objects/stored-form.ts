import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { Soon } from "@coxswain/runtime/soon";

/** Objects as the store has them, which may be changed, in the version of `kind`. At once where that is what they are in. */
export function fromStoredForm(kind: AnyKind, objects: readonly KubernetesObject[]): Soon<readonly KubernetesObject[]> {
  if (!kind.storedForm) return objects;
  const apiVersion = formatGroupVersion(kind);
  return objects.every((object) => object.apiVersion === apiVersion) ? objects : converted(kind, objects, apiVersion);
}

async function converted(
  kind: AnyKind,
  objects: readonly KubernetesObject[],
  apiVersion: string,
): Promise<readonly KubernetesObject[]> {
  const others = objects.filter((object) => object.apiVersion !== apiVersion);
  for (const object of others) kind.storedForm?.typesOf(object.apiVersion ?? "")?.normalizeStored?.(object);
  const results = (await kind.storedForm?.convert(others, apiVersion)) ?? others;
  for (const object of results) kind.normalizeConverted?.(object);
  let next = 0;
  return objects.map((object) => (object.apiVersion === apiVersion ? object : (results[next++] as KubernetesObject)));
}
