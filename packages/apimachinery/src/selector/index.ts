export { parseLabelRequirements, parseLabelSelector } from "./parse-label-selector.js";
export {
  type LabelSelector,
  labelSelectorFromObject,
  labelSelectorObject,
  type LabelSelectorRequirement,
  selectorFromLabels,
} from "./label-selector-object.js";
export { everything, type Labels, nothing, type Selector, selectorOf } from "./label-selector.js";
export {
  escapeFieldValue,
  everyField,
  type FieldRequirement,
  type Fields,
  type FieldSelector,
  fieldSelectorOf,
  parseFieldSelector,
  unescapeFieldValue,
} from "./field-selector.js";
export { goSelectorText } from "./go-selector.js";
export { SelectorError } from "./selector-error.js";

export { createRequirement, type LabelOperator, type LabelRequirement, requirementText } from "./requirement.js";
