export {
  compareResourceVersions,
  formatResourceVersion,
  type ParsedResourceVersion,
  parseResourceVersion,
  ResourceVersionError,
} from "./resource-version.js";
