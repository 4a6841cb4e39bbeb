export {
  type IntOrString,
  IntOrStringError,
  intValue,
  parseIntOrString,
  type Scale,
  scaledValue,
} from "./int-or-string.js";
