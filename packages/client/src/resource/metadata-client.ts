import type { metaV1 } from "@coxswain/api/types";
import type { GroupVersionResource } from "@coxswain/apimachinery/meta";
import type { RestClient } from "../rest/index.js";
import { ResourceClient } from "./resource-client.js";

export type PartialObjectMetadata = metaV1.PartialObjectMetadata;

/** Reads only metadata: for garbage collectors and quota, to whom a spec is weight. Writes are patches of metadata. */
export type MetadataClient = Pick<
  ResourceClient<PartialObjectMetadata>,
  "resource" | "namespace" | "get" | "list" | "pages" | "items" | "watch" | "patch" | "delete" | "deleteCollection"
>;

export const createMetadataClient = (
  rest: RestClient,
  resource: GroupVersionResource,
  namespace?: string,
): MetadataClient => new ResourceClient<PartialObjectMetadata>(rest, resource, namespace, { view: "metadata" });
