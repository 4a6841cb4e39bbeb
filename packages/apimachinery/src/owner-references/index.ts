export {
  AlreadyOwnedError,
  controllerOf,
  controllerReference,
  isControlledBy,
  isOwnedBy,
  type Owned,
  ownerReference,
  withController,
  withOwner,
  withoutOwner,
} from "./owner-references.js";
