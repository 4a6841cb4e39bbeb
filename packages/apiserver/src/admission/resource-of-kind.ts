import type { AnyKind } from "@coxswain/kinds";
import type { ResourceOfKind } from "./owner-references-permission-enforcement.js";

/** Finds resources among `kinds`; a version that is not served is taken for the one that is. */
export function resourceOfKind(kinds: readonly AnyKind[]): ResourceOfKind {
  const byKind = new Map(kinds.map((kind) => [`${kind.group}/${kind.kind}`, kind]));
  return (apiVersion, kind) =>
    byKind.get(`${apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : ""}/${kind}`);
}
