export { bindingsLibrary } from "./bindings.js";
export { twoVariableComprehensions } from "./comprehensions.js";
export { listsLibrary } from "./lists.js";
export { literalValidators } from "./literal-validators.js";
export { optionalsLibrary } from "./optionals.js";
export { setsLibrary } from "./sets.js";
export { stringsLibrary } from "./strings.js";
