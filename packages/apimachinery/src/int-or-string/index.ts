export {
  type IntOrString,
  IntOrStringError,
  intValue,
  parseIntOrString,
  type Scale,
  scaledValue,
} from "./int-or-string.js";

export { parseInt64 } from "./int64.js";
