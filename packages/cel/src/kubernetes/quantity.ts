import { Quantity, readQuantity } from "@coxswain/apimachinery/quantity";
import { type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { boolType, doubleType, intType, objectType, stringType, type Type } from "../types/type.js";
import { intOf } from "../values/int.js";
import { CelError, Double, OpaqueValue, type Value } from "../values/value.js";
import { isMachineQuantity } from "./machine-quantity.js";
import { readsText } from "./text-costs.js";

export const quantityType = objectType("kubernetes.Quantity");

export class QuantityValue extends OpaqueValue {
  readonly type = quantityType;
  readonly quantity: Quantity;
  /** Whether upstream holds it as an int64 with a scale: only then does it take it for an integer. */
  readonly isMachine: boolean;
  /** The result of add() or sub(), which upstream does not allow on the right of `==`. */
  readonly isComputed: boolean;
  constructor(quantity: Quantity, { isMachine, isComputed }: { isMachine: boolean; isComputed: boolean }) {
    super();
    this.quantity = quantity;
    this.isMachine = isMachine;
    this.isComputed = isComputed;
  }
  override canEqual(other: Value): boolean {
    return other instanceof QuantityValue && !other.isComputed;
  }
  equals(other: Value): boolean {
    return other instanceof QuantityValue && this.quantity.equals(other.quantity);
  }
  toString(): string {
    return this.quantity.toString();
  }
}

/** A quantity, or an error in upstream's words. */
export function toQuantity(text: string): QuantityValue | CelError {
  const quantity = readQuantity(text);
  if (typeof quantity === "string") return new CelError(quantity);
  return new QuantityValue(quantity, { isMachine: isMachineQuantity(text), isComputed: false });
}

/** The whole number, or undefined; a quantity with decimal places is none, even where they are zeros. */
function integerOf({ quantity, isMachine }: QuantityValue): number | bigint | undefined {
  if (!isMachine || quantity.scale < 0) return undefined;
  return quantity.scale > 18 && !quantity.isZero ? undefined : intOf(BigInt(quantity.scaledValue(0)));
}

/** 10^exponent as Go computes it: the product of two exact powers, whose rounding shows. */
function powerOfTen(exponent: number): number {
  const power = (by: number): number => Number(`1e${by}`);
  if (exponent < -323) return 0;
  if (exponent > 308) return Number.POSITIVE_INFINITY;
  const rest = Math.abs(exponent) % 32;
  return exponent >= 0 ? power(exponent - rest) * power(rest) : power(exponent + rest) / power(rest);
}

/** Upstream rounds numbers of any size to nanos when it reads them, and then computes with all those digits. */
const nano = -9;

function approximate({ quantity, isMachine }: QuantityValue): Double {
  // Beyond what a double holds there are no digits to compute with.
  const isExact = isMachine || quantity.scale > 308;
  const scale = isExact ? quantity.scale : Math.min(quantity.scale, nano);
  const unscaled = Number(scale === quantity.scale ? quantity.unscaled : quantity.scaledValue(scale));
  return new Double(scale === 0 ? unscaled : unscaled * powerOfTen(scale));
}

const order = (a: QuantityValue, b: QuantityValue): number => Math.sign(a.quantity.compare(b.quantity));

const asQuantity = (value: QuantityValue | number | bigint): QuantityValue =>
  value instanceof QuantityValue
    ? value
    : new QuantityValue(Quantity.of(value, "DecimalExponent"), { isMachine: true, isComputed: false });

/** A sum of machine integers stays one while it fits. */
function combine(a: QuantityValue, other: QuantityValue | number | bigint, operation: "add" | "sub"): QuantityValue {
  const b = asQuantity(other);
  const quantity = a.quantity[operation](b.quantity);
  const fits = intOf(BigInt(quantity.unscaled)) !== undefined;
  return new QuantityValue(quantity, { isMachine: a.isMachine && b.isMachine && fits, isComputed: true });
}

const Q = quantityType;

const overload = (
  id: string,
  args: readonly Type[],
  result: Type,
  implementation: (a: QuantityValue, b: QuantityValue) => Value,
): Overload => ({
  id,
  args,
  result,
  isMember: true,
  implementation: (a, b) => implementation(a as QuantityValue, b as QuantityValue),
});

const parsing = (name: string, id: string, result: Type, parse: (text: string) => Value): FunctionDeclaration => ({
  name,
  overloads: [{ id, args: [stringType], result, implementation: (text) => parse(text as string) }],
  ...readsText(),
});

const arithmetic = (name: "add" | "sub"): FunctionDeclaration => ({
  name,
  overloads: [
    overload(`quantity_${name}`, [Q, Q], Q, (a, b) => combine(a, b, name)),
    overload(`quantity_${name}_int`, [Q, intType], Q, (a, b) => combine(a, b, name)),
  ],
});

/** Quantities of resources; since 1.28. */
export const quantityLibrary: Library = {
  name: "kubernetes.quantity",
  functions: [
    parsing("quantity", "string_to_quantity", Q, toQuantity),
    parsing("isQuantity", "is_quantity_string", boolType, (text) => typeof readQuantity(text) !== "string"),
    // Not a method, unlike all the others.
    {
      name: "sign",
      overloads: [{ ...overload("quantity_sign", [Q], intType, (a) => a.quantity.sign), isMember: false }],
    },
    {
      name: "isGreaterThan",
      overloads: [overload("quantity_is_greater_than", [Q, Q], boolType, (a, b) => order(a, b) > 0)],
    },
    { name: "isLessThan", overloads: [overload("quantity_is_less_than", [Q, Q], boolType, (a, b) => order(a, b) < 0)] },
    { name: "compareTo", overloads: [overload("quantity_compare_to", [Q, Q], intType, order)] },
    {
      name: "asApproximateFloat",
      overloads: [overload("quantity_get_float", [Q], doubleType, approximate)],
    },
    {
      name: "asInteger",
      overloads: [
        overload(
          "quantity_get_int",
          [Q],
          intType,
          (a) => integerOf(a) ?? new CelError("cannot convert value to integer"),
        ),
      ],
    },
    {
      name: "isInteger",
      overloads: [overload("quantity_is_integer", [Q], boolType, (a) => integerOf(a) !== undefined)],
    },
    arithmetic("add"),
    arithmetic("sub"),
  ],
};
