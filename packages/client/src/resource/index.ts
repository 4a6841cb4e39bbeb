export {
  type ApplyConfiguration,
  ResourceClient,
  type ResourceClientOptions,
  type ResourceRef,
} from "./resource-client.js";
export type { Subresource, SubresourceName } from "./subresource.js";
export { createMetadataClient, type MetadataClient, type PartialObjectMetadata } from "./metadata-client.js";
export { createScaleClient, type ScaleClient } from "./scale-client.js";
export { eachPage } from "./paging.js";
