export { cidrType, CidrValue } from "./cidr.js";
export {
  type AccessAnswer,
  type AccessQuestion,
  type AccessUser,
  authorizerType,
  authorizerValue,
  type CheckAccess,
  resourceCheckType,
  resourceCheckValue,
} from "./authorizer.js";
export {
  type DeclaredType,
  declaredDyn,
  declaredList,
  declaredMap,
  declaredObject,
  nameTypes,
} from "./declared-type.js";
export { declaredSizes, declaredTypeProvider } from "./declared-types.js";
export {
  baseLibraries,
  createBaseEnvironments,
  currentMinor,
  type EnvironmentSet,
  type VersionedLibrary,
} from "./environments.js";
export { formatType, FormatValue } from "./format.js";
export { ipType, IpValue } from "./ip.js";
export { quantityType, QuantityValue, toQuantity } from "./quantity.js";
export { semverType, SemverValue, toSemver } from "./semver.js";
export { urlType, UrlValue } from "./urls.js";
export { escapeName, unescapeName } from "./escaping.js";
export { jsonPatchLibrary } from "./json-patch.js";
export { jsonToValue, valueToJson } from "./json-value.js";
export { celLimits } from "./limits.js";
export {
  findMisplacedTypes,
  JsonPatchOperation,
  jsonPatchType,
  mutatedObjectType,
  MutationObject,
  mutationTypes,
} from "./mutation-types.js";
export { nodeToType } from "./node-type.js";
export { hasSchemaType, schemaToType } from "./schema-type.js";
export { schemaToValue } from "./schema-value.js";
