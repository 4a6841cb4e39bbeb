export { changeText, type DescribedChange, pathText, shortUser, valueText } from "./change-text.js";
export { changedPaths, type ChangedPath } from "./changed-paths.js";
export { locateMetadata, type MetadataPlaces, placesOf } from "./metadata-places.js";
export {
  findResourceVersion,
  type Splice,
  spliceResourceVersion,
  splicedLength,
  withoutManagedFields,
  writeSpliced,
} from "./splice.js";
