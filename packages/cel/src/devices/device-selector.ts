import { type ExpressionError, typeText } from "../admission/compile-expression.js";
import { ProgramError } from "../interpreter/fold-constants.js";
import { type Program } from "../interpreter/program.js";
import { celLimits } from "../kubernetes/limits.js";
import { typeOf } from "../values/type-of.js";
import { type Value } from "../values/value.js";
import { deviceEnvironments } from "./device-environments.js";
import { type DeviceFeatures } from "./device-type.js";
import { deviceToValue, type SelectableDevice } from "./device-value.js";

export interface DeviceSelectorOptions extends DeviceFeatures {
  /** The expression was accepted before: it may use what a new one may not use yet. @default true */
  readonly isStored?: boolean;
  /** The most that one evaluation may cost. @default 1,000,000 */
  readonly costLimit?: number;
}

/** A compiled expression of a DeviceClass or of a request in a ResourceClaim. */
export interface DeviceSelector {
  readonly expression: string;
  /** Estimates the most that one evaluation can cost; at most 2^64-1. */
  estimateCost(): number;
  /** What is made of a device is kept for as long as the device object: asking again about the same one is cheap. */
  matches(device: SelectableDevice): DeviceMatch;
}

/** Whether the device matches; or why that cannot be decided, with upstream's message. */
export type DeviceMatch =
  | { readonly matches: boolean; readonly error?: undefined; readonly cost: number }
  | { readonly matches?: undefined; readonly error: string; readonly cost: number };

export type DeviceSelectorCompilation =
  | { readonly selector: DeviceSelector; readonly error?: undefined }
  | { readonly selector?: undefined; readonly error: ExpressionError };

/** Compiles the expression of a device selector in DRA's environment: Kubernetes' own with `device` and `cel.bind`. */
export function compileDeviceSelector(
  expression: string,
  options: DeviceSelectorOptions = {},
): DeviceSelectorCompilation {
  const { consumableCapacity = true, listAttributes = false, isStored = true, costLimit = celLimits.perCall } = options;
  const { forNew, forStored, sizes } = deviceEnvironments({ consumableCapacity, listAttributes });
  const environment = isStored ? forStored : forNew;
  const failed = (kind: ExpressionError["kind"], detail: string): DeviceSelectorCompilation => ({
    error: { kind, detail },
  });
  const compiled = environment.compile(expression);
  if (!compiled.ok) return failed("invalid", `compilation failed: ${compiled.message}`);
  const { type, checked } = compiled;
  // An attribute may be a bool: that shows when it is evaluated.
  if (type.kind !== "bool" && type.kind !== "any" && !(listAttributes && type.kind === "dyn"))
    return failed("invalid", `must evaluate to bool or the unknown type, not ${typeText(type)}`);
  try {
    const program = environment.program(checked, { costLimit });
    return {
      selector: {
        expression,
        estimateCost: () => Number(environment.estimateCost(checked, sizes).max),
        matches: (device) => evaluate(program, device, listAttributes),
      },
    };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    return failed("internal", `program instantiation failed: ${error.message}`);
  }
}

function evaluate(program: Program, device: SelectableDevice, listAttributes: boolean): DeviceMatch {
  const value = knownValue(device, listAttributes);
  if (typeof value === "string") return { error: value, cost: 0 };
  const outcome = program.evaluate(new Map([["device", value]]));
  const { cost } = outcome;
  if (!outcome.ok) return { error: outcome.error.message, cost };
  if (typeof outcome.value === "boolean") return { matches: outcome.value, cost };
  return { error: notBool(outcome.value), cost };
}

type DeviceValue = ReturnType<typeof deviceToValue>;
const scalarDevices = new WeakMap<SelectableDevice, DeviceValue>();
const listDevices = new WeakMap<SelectableDevice, DeviceValue>();

function knownValue(device: SelectableDevice, listAttributes: boolean): DeviceValue {
  const known = listAttributes ? listDevices : scalarDevices;
  let value = known.get(device);
  if (value === undefined) known.set(device, (value = deviceToValue(device, listAttributes)));
  return value;
}

/** Each of upstream's types spells this in its own way; an attribute is of one of these. */
function notBool(value: Value): string {
  const type = typeOf(value).name;
  const reasons: Readonly<Record<string, string>> = {
    int: "unsupported type conversion from 'int' to bool",
    string: "unsupported native conversion from string to 'bool'",
    list: "type conversion error from list to 'bool'",
    map: "unsupported type conversion to 'bool'",
    "kubernetes.Semver": "type conversion error from 'Semver' to 'bool'",
  };
  const reason = reasons[type] ?? `type conversion error from '${type}' to 'bool'`;
  return `CEL result of type ${type} could not be converted to bool: ${reason}`;
}
