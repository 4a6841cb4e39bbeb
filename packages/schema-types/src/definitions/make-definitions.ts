import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { markerError } from "../markers/read-doc.js";
import type { TypeEvaluator } from "../shapes/evaluate-type.js";
import { type CustomKind, hasMarker, markersNamed } from "./custom-kind.js";
import { versionOfKind } from "./version-of-kind.js";

/** One CustomResourceDefinition per group and kind, with all its versions. Names are those of the stored version. */
export function makeDefinitions(kinds: readonly CustomKind[], evaluator: TypeEvaluator): CustomResourceDefinition[] {
  const byName = new Map<string, CustomKind[]>();
  for (const kind of kinds) {
    const key = `${kind.kind}.${kind.group}`;
    byName.set(key, [...(byName.get(key) ?? []), kind]);
  }
  return [...byName.values()].map((versions) => makeDefinition(versions, evaluator));
}

function makeDefinition(kinds: readonly CustomKind[], evaluator: TypeEvaluator): CustomResourceDefinition {
  const sorted = [...kinds].sort((a, b) => (a.version < b.version ? -1 : 1));
  const stored = storedVersion(sorted);
  const versions = sorted.map((kind) => versionOfKind(kind, evaluator.declared(kind.module, kind.declaration)));
  for (const version of versions) version.storage = version.name === stored.version;
  if (!versions.some(({ served }) => served))
    throw markerError(stored.marker, `no version of ${stored.kind} is served`);
  const { group, kind, names } = stored;
  const labels = metadataOf(kinds, "labels");
  const annotations = metadataOf(kinds, "annotations");
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${names.plural}.${group}`,
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    },
    spec: {
      group,
      names: {
        plural: names.plural,
        singular: names.singular,
        ...(names.shortNames.length > 0 ? { shortNames: [...names.shortNames] } : {}),
        kind,
        listKind: `${kind}List`,
        ...(names.categories.length > 0 ? { categories: [...names.categories] } : {}),
      },
      scope: names.scope,
      versions,
    },
  };
}

/** The only one, or the one marked so. */
function storedVersion(kinds: readonly CustomKind[]): CustomKind {
  const [first, second] = kinds.filter((kind) => hasMarker(kind, "storageVersion"));
  if (second)
    throw markerError(
      second.marker,
      `${second.kind} is stored in one version: ${first!.version} has @storageVersion too`,
    );
  if (first) return first;
  if (kinds.length > 1)
    throw markerError(
      kinds[0]!.marker,
      `${kinds[0]!.kind} has ${kinds.length} versions: mark one with @storageVersion`,
    );
  return kinds[0]!;
}

function metadataOf(kinds: readonly CustomKind[], name: "labels" | "annotations"): Record<string, string> | undefined {
  const entries = kinds.flatMap((kind) =>
    markersNamed(kind, name).flatMap((marker) =>
      marker.text.split(/\s+/).map((pair) => {
        const at = pair.indexOf("=");
        if (at < 1) throw markerError(marker, `"${pair}" has not the form key=value`);
        return [pair.slice(0, at), pair.slice(at + 1)] as const;
      }),
    ),
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
