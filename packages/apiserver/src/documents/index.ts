// Discovery and OpenAPI as functions from data to documents. Nothing here knows of HTTP; the code that serves a document caches it.
export { serveBuiltIn, rankGroupVersions } from "./built-in-resources.js";
export {
  groupVersionOf,
  type GroupVersionKind,
  rootPathOf,
  type ServedResource,
  servedResource,
  type ServedSubresource,
} from "./served-resource.js";
export { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./discovery/legacy.js";
export {
  aggregatedDiscovery,
  type APIGroupDiscoveryList,
  type APIResourceDiscovery,
  type DiscoveredGroupVersion,
  discoverResources,
} from "./discovery/aggregated.js";
export { discoveryETag, documentHash } from "./discovery/etag.js";
export { aggregatedDiscoveryTypes } from "./discovery/media-types.js";
export { describeWith, type DocumentSources } from "./document-sources.js";
export { openAPIV3Document, openAPIV3Names } from "./openapi-v3/documents.js";
export { openAPIV3Index } from "./openapi-v3/index-document.js";
export { openAPIV3Protobuf } from "./openapi-v3/protobuf.js";
export { openAPIV3Types } from "./openapi-v3/media-types.js";
export { createOpenAPIV2Builder, openAPIV2Document, type OpenAPIV2Builder } from "./openapi-v2/document.js";
export { openAPIV2Protobuf } from "./openapi-v2/protobuf.js";
export { openAPIV2Types } from "./openapi-v2/media-types.js";
export { goPlatform, versionInfo, type VersionInfo, type VersionOptions } from "./version.js";

export { customTypeName } from "./schemas/custom-schemas.js";
export { customResourcePriority, type RankedGroupVersion } from "./discovery/group-versions.js";
export type { Describe, OpenAPISchema } from "./schemas/openapi-schema.js";
