export { parseQuantity, QuantityError, type QuantityProblem, readQuantity } from "./parse-quantity.js";
export { Quantity } from "./quantity.js";
export type { QuantityFormat } from "./suffix.js";
export { canonicalQuantity } from "./canonical-quantity.js";
export { quantityMilliValue, quantityValue } from "./fast-values.js";

export { quantityErrors } from "./parse-quantity.js";
export type { Integer } from "./integer.js";
