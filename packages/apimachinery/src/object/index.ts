export { locateMetadata, type MetadataPlaces } from "./metadata-places.js";
export { spliceResourceVersion, withoutManagedFields } from "./splice.js";
