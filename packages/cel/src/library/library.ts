import { type Validator } from "../checker/validator.js";
import { type FunctionDeclaration } from "../declarations/function-declaration.js";
import { type TypeProvider } from "../declarations/type-provider.js";
import { type Macro } from "../parser/macro.js";
import { type Type } from "../types/type.js";

/** A part of the language: functions, macros and types that belong together. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Types that expressions can name, `net.IP`. */
  readonly types?: readonly Type[];
  readonly provider?: TypeProvider;
  /** Checks of whole expressions that types do not make. */
  readonly validators?: readonly Validator[];
}
