import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";

const heads = new WeakMap<AnyKind, Uint8Array>();

/** Whether the stored bytes of a custom resource are in the version of `kind`. Its members are sorted, so that each object begins with its apiVersion. */
export function isInVersion(bytes: Uint8Array, kind: AnyKind): boolean {
  let head = heads.get(kind);
  if (!head)
    heads.set(kind, (head = new TextEncoder().encode(`{"apiVersion":${JSON.stringify(formatGroupVersion(kind))},`)));
  return bytes.length >= head.length && head.every((byte, at) => bytes[at] === byte);
}
