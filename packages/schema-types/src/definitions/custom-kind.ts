import type { Doc, Marker } from "../markers/read-doc.js";
import type { Declaration, TypeModule } from "../syntax/type-node.js";

/** One version of a custom resource, as its interface and the markers on it declare it. */
export interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly names: ResourceNames;
  readonly doc: Doc;
  readonly module: TypeModule;
  readonly declaration: Declaration;
  /** The marker that makes an interface a custom resource; errors about the whole kind point at it. */
  readonly marker: Marker;
}

export interface ResourceNames {
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: "Namespaced" | "Cluster";
}

export const markersNamed = (kind: Pick<CustomKind, "doc">, name: string): Marker[] =>
  kind.doc.markers.filter((marker) => marker.name === name);

export const hasMarker = (kind: Pick<CustomKind, "doc">, name: string): boolean => markersNamed(kind, name).length > 0;
