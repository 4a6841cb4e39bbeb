import { readArguments, splitList } from "../markers/marker-arguments.js";
import { type Doc, type Marker, markerError, readDoc } from "../markers/read-doc.js";
import type { TypeModule } from "../syntax/type-node.js";
import type { CustomKind, ResourceNames } from "./custom-kind.js";
import { pluralOf } from "./plural.js";

/** A folder of one API version: its files, and its group and version where they are not marked in a file. */
export interface VersionFolder {
  readonly modules: readonly TypeModule[];
  /** For instance `v1alpha1`: the folder's name. */
  readonly version: string;
}

/**
 * The custom resources of a folder: interfaces with `@resource`. `@group` and `@version` stand on the interface, or once in
 * any comment of the folder (Go's `+groupName`); the version is the folder's name otherwise.
 */
export function findKinds(folder: VersionFolder): CustomKind[] {
  const docs = folder.modules.flatMap((module) => module.docs.map((comment) => readDoc(module, comment)));
  const groupOfFolder = firstMarker(docs, "group");
  const versionOfFolder = firstMarker(docs, "version")?.text ?? folder.version;
  return folder.modules.flatMap((module) =>
    [...module.declarations.values()].flatMap((declaration): CustomKind[] => {
      const doc = readDoc(module, declaration.doc);
      const marker = doc.markers.find(({ name }) => name === "resource");
      if (!marker) return [];
      const group = (firstMarker([doc], "group") ?? groupOfFolder)?.text;
      if (group === undefined || !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(group))
        throw markerError(
          marker,
          group === undefined
            ? `no group: write "@group media.example.com" here, or once in a comment of this folder`
            : `"${group}" is no API group: it has the form of a domain name, like media.example.com`,
        );
      const version = firstMarker([doc], "version")?.text ?? versionOfFolder;
      if (!/^v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/.test(version))
        throw markerError(
          marker,
          `"${version}" is no API version: name the folder v1alpha1, v1beta2, v1 …, or write @version`,
        );
      const names = readNames(marker, declaration.name);
      return [{ group, version, kind: declaration.name, names, doc, module, declaration, marker }];
    }),
  );
}

function firstMarker(docs: readonly Doc[], name: string): Marker | undefined {
  return docs.flatMap(({ markers }) => markers).find((marker) => marker.name === name);
}

function readNames(marker: Marker, kind: string): ResourceNames {
  const values = readArguments(marker, ["plural", "singular", "shortNames", "categories", "scope"]);
  const scope = values.get("scope") ?? "Namespaced";
  if (scope !== "Namespaced" && scope !== "Cluster")
    throw markerError(marker, `the scope "${scope}" is neither Namespaced nor Cluster`);
  return {
    plural: values.get("plural") ?? pluralOf(kind),
    singular: values.get("singular") ?? kind.toLowerCase(),
    shortNames: splitList(values.get("shortNames") ?? ""),
    categories: splitList(values.get("categories") ?? ""),
    scope,
  };
}
