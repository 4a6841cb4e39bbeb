export { createScheme, NotRegisteredError, type Scheme, type VersionDefinition } from "./scheme.js";
export { fromObject, kindOf, type NamedObject, toObject } from "./objects.js";
export {
  convertMetadataLabel,
  createFieldLabelConversion,
  type FieldLabel,
  type FieldLabelConversion,
  FieldLabelError,
} from "./field-labels.js";
