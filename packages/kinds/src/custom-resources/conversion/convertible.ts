import type { DeepReadonly } from "@coxswain/api";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { ConversionError } from "./conversion-error.js";

type Given = DeepReadonly<KubernetesObject>;

/** Only between versions that the definition has. @throws ConversionError */
export function checkConvertible(
  objects: readonly Given[],
  {
    apiVersion,
    known,
    isList,
  }: { readonly apiVersion: string; readonly known: ReadonlySet<string>; readonly isList: boolean },
): void {
  if (!known.has(apiVersion))
    throw new ConversionError(`request to convert CR to an invalid group/version: ${apiVersion}`);
  for (const [at, { apiVersion: from = "" }] of objects.entries()) {
    if (known.has(from)) continue;
    throw new ConversionError(
      isList
        ? `request to convert CR list failed, list index ${at} has invalid group/version: ${from}`
        : `request to convert CR from an invalid group/version: ${from}`,
    );
  }
}

/** Strategy None: the same object under another version. */
export const relabel = <T extends Given>(object: T, apiVersion: string): T => ({ ...object, apiVersion });

/** Whether there is nothing in an object that a webhook could convert. */
export function isEmptyObject(object: Given): boolean {
  const names = Object.keys(object);
  return names.length === 2 && names.includes("kind") && names.includes("apiVersion");
}
