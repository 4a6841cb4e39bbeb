export {
  compareResourceVersions,
  type ParsedResourceVersion,
  parseResourceVersion,
  ResourceVersionError,
} from "./resource-version.js";
