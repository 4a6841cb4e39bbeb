export { createRestMapper } from "./rest-mapper.js";
export type { PartialResource, RestMapper, RestMapping, ServedGroup, ServedResource } from "./rest-mapping.js";
export { AmbiguousMatchError, NoMatchError } from "./mapper-errors.js";
export { guessResource } from "./guess-resource.js";
