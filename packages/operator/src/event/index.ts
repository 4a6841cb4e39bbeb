export type { ResourceEvent } from "./resource-event.js";
export {
  allOf,
  annotationChanged,
  anyOf,
  generationChanged,
  labelChanged,
  not,
  objectMatches,
  type Predicate,
  resourceVersionChanged,
  type WatchedObject,
} from "./predicates.js";
export { type Cause, causeOf, causeText, type WriteCause } from "./cause.js";
export { ownerNames } from "./owner-names.js";
