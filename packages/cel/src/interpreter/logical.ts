import { CelError, noSuchOverload, type Value } from "../values/value.js";
import { type Evaluate } from "./frame.js";

/**
 * `&&` (neutral is true) and `||` (neutral is false). The other value decides wherever it stands: an error to its left or
 * right is absorbed. Only without it is the first error the result.
 */
export function evaluateLogical(terms: readonly Evaluate[], neutral: boolean, id: number): Evaluate {
  const decides = !neutral;
  return (frame) => {
    let error: CelError | undefined;
    for (const term of terms) {
      const value: Value = term(frame);
      if (value === decides) return decides;
      if (value === neutral || error !== undefined) continue;
      error = value instanceof CelError ? value : noSuchOverload();
      if (error.id === 0) error.id = id;
    }
    return error ?? neutral;
  };
}
