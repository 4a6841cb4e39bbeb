export {
  findOutput,
  negotiateOutput,
  negotiateStream,
  type Output,
  type OutputOptions,
  type OutputRequest,
} from "./output.js";
export {
  customResourcePatchTypes,
  type InputOptions,
  negotiateInput,
  negotiatePatch,
  type PatchType,
  patchTypes,
} from "./input.js";
export {
  type ConversionTarget,
  discoveryRestrictions,
  type EndpointRestrictions,
  plainRestrictions,
  resourceRestrictions,
} from "./restrictions.js";
export {
  type MediaType,
  mediaTypeNames,
  type MediaTypeName,
  servedMediaTypes,
  streamMediaTypeNames,
  watchContentType,
} from "./media-types.js";
// The parts, for other protocols than the API's own.
export { type AcceptClause, parseAccept } from "./accept.js";
export { parseMediaType } from "./content-type.js";
export { isPrettyRequest } from "./pretty.js";
