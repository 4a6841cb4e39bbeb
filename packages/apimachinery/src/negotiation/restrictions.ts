import type { MediaTypeName } from "./media-types.js";

/** The kind that a client wants instead of the usual one (`;as=Table;v=v1;g=meta.k8s.io`). Parts it did not name are "". */
export interface ConversionTarget {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What an endpoint can answer with. A clause of the Accept header that it does not allow is passed over. */
export interface EndpointRestrictions {
  /** `target` undefined: the client wants the object itself. */
  allowsTransform(mediaType: MediaTypeName, target: ConversionTarget | undefined): boolean;
  /** For `;sv=`. */
  allowsServerVersion(version: string): boolean;
}

/** Endpoints that answer with one kind only. */
export const plainRestrictions: EndpointRestrictions = {
  allowsTransform: (_mediaType, target) => target === undefined,
  allowsServerVersion: () => false,
};

/** `/api` and `/apis` when aggregated discovery is asked for; whatever this does not allow gets the old form. */
export const discoveryRestrictions: EndpointRestrictions = {
  allowsTransform: (_mediaType, target) =>
    target?.group === "apidiscovery.k8s.io" && target.version === "v2" && target.kind === "APIGroupDiscoveryList",
  allowsServerVersion: () => false,
};

/**
 * Endpoints of a resource: the object, its metadata or a table.
 * `objects`: the media types the object itself exists in; custom resources have no protobuf form, though their metadata has.
 */
export function resourceRestrictions(facts: {
  readonly tables: boolean;
  readonly objects?: readonly MediaTypeName[];
}): EndpointRestrictions {
  return {
    allowsTransform: (mediaType, target) => {
      if (target === undefined) return facts.objects?.includes(mediaType) ?? true;
      if (target.group !== "meta.k8s.io" || (target.version !== "v1" && target.version !== "v1beta1")) return false;
      if (target.kind === "Table") return facts.tables && mediaType !== "application/vnd.kubernetes.protobuf";
      return target.kind === "PartialObjectMetadata" || target.kind === "PartialObjectMetadataList";
    },
    allowsServerVersion: (version) => version === "v1",
  };
}
