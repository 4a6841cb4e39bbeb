import { type Library } from "../library/library.js";
import { standardMacros } from "../parser/standard-macros.js";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  typeParam,
  typeType,
  uintType,
} from "../types/type.js";
import { arithmeticFunctions } from "./arithmetic.js";
import { comparisonFunctions } from "./comparison.js";
import { conversionFunctions } from "./conversions.js";
import { logicFunctions } from "./logic.js";
import { stringFunctions } from "./strings.js";
import { timeFunctions } from "./time.js";

/** CEL itself: operators, conversions, strings, time, and the macros. */
export const standardLibrary: Library = {
  name: "standard",
  macros: standardMacros,
  types: [
    boolType,
    bytesType,
    doubleType,
    durationType,
    intType,
    listType(typeParam("A")),
    mapType(typeParam("A"), typeParam("B")),
    nullType,
    stringType,
    timestampType,
    typeType,
    uintType,
  ],
  functions: [
    ...logicFunctions,
    ...comparisonFunctions,
    ...arithmeticFunctions,
    ...conversionFunctions,
    ...stringFunctions,
    ...timeFunctions,
  ],
};
