export {
  createRestMapper,
  type PartialResource,
  type RestMapper,
  type RestMapping,
  type ServedGroup,
  type ServedResource,
} from "./rest-mapper.js";
export { AmbiguousMatchError, NoMatchError } from "./mapper-errors.js";
export { guessResource } from "./guess-resource.js";
