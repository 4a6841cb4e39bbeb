import { type Library } from "../library/library.js";
import { boolType, dynType } from "../types/type.js";
import { equal } from "../values/equal.js";
import { CelError, ListValue, type Value } from "../values/value.js";
import { mostListValues } from "./device-type.js";

function includes(target: Value, wanted: Value): Value {
  if (!(target instanceof ListValue)) return equal(target, wanted);
  // The cost is that of the longest list an attribute may be.
  const count = Math.min(target.size, mostListValues);
  for (let at = 0; at < count; at++) if (equal(target.get(at), wanted)) return true;
  return target.size <= mostListValues
    ? false
    : new CelError(`'includes' function cannot be applied to lists longer than ${mostListValues} values`);
}

/** `attribute.includes(value)`: whether a list has the value, or a single one is it. */
export const includesLibrary: Library = {
  name: "dra.includes",
  functions: [
    {
      name: "includes",
      overloads: [
        {
          id: "dra_includes_dyn_dyn",
          args: [dynType, dynType],
          result: boolType,
          isMember: true,
          implementation: (target, wanted) => includes(target as Value, wanted as Value),
          estimateCost: () => ({ cost: { min: 0n, max: BigInt(mostListValues) } }),
        },
      ],
    },
  ],
};
