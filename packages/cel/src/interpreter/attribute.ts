import { CelError, noSuchOverload, OptionalValue, optionalNone, type Value } from "../values/value.js";
import { type Evaluate, type Frame } from "./frame.js";
import { findMember, getMember } from "./qualify.js";

/**
 * A variable or value with a path of qualifiers, `a.b[c].?d`, evaluated as one step.
 *
 * Its cost follows upstream's: 1 for each qualifier that is applied (an optional one only where it finds something), and
 * 1 for the attribute itself, which is left out where it is the branch of a conditional or the key of another attribute.
 */
export interface Attribute {
  /** The value without the cost of the attribute itself. */
  readonly resolve: Evaluate;
  /** A conditional has no cost of its own. */
  readonly isConditional: boolean;
  qualify(qualifier: Qualifier): Attribute;
}

export interface Qualifier {
  /** The key; an error where it could not be computed. */
  readonly key: Evaluate;
  /** `.?field` and `[?index]`. */
  readonly isOptional: boolean;
  /** has(x.field): the value is whether the field is there. */
  readonly isTest: boolean;
}

/** `base` with qualifiers. */
export function createAttribute(base: Evaluate, qualifiers: readonly Qualifier[] = []): Attribute {
  return {
    isConditional: false,
    resolve: qualifiers.length === 0 ? base : resolveWith(base, qualifiers),
    qualify: (qualifier) => createAttribute(base, [...qualifiers, qualifier]),
  };
}

/** A conditional whose qualifiers apply to the branch that is taken. */
export function createConditional(condition: Evaluate, whenTrue: Attribute, whenFalse: Attribute): Attribute {
  return {
    isConditional: true,
    resolve(frame) {
      const value = condition(frame);
      if (value === true) return whenTrue.resolve(frame);
      if (value === false) return whenFalse.resolve(frame);
      return value instanceof CelError ? value : noSuchOverload();
    },
    qualify: (qualifier) => createConditional(condition, whenTrue.qualify(qualifier), whenFalse.qualify(qualifier)),
  };
}

function resolveWith(base: Evaluate, qualifiers: readonly Qualifier[]): Evaluate {
  if (qualifiers.every(({ isOptional, isTest }) => !isOptional && !isTest)) {
    const keys = qualifiers.map(({ key }) => key);
    return (frame) => resolvePlain(frame, { base, keys, qualifiers });
  }
  return (frame) => {
    const value = base(frame);
    return value instanceof CelError ? value : applyQualifiers(frame, value, qualifiers);
  };
}

interface PlainPath {
  readonly base: Evaluate;
  readonly keys: readonly Evaluate[];
  readonly qualifiers: readonly Qualifier[];
}

/** The common path without optionals and tests. */
function resolvePlain(frame: Frame, { base, keys, qualifiers }: PlainPath): Value {
  let value = base(frame);
  if (value instanceof CelError) return value;
  if (value instanceof OptionalValue) return applyQualifiers(frame, value, qualifiers);
  for (const keyOf of keys) {
    const key = keyOf(frame);
    frame.cost++;
    value = key instanceof CelError ? key : getMember(value, key);
    if (value instanceof CelError) return value;
  }
  return value;
}

function applyQualifiers(frame: Frame, base: Value, qualifiers: readonly Qualifier[]): Value {
  let value = base;
  let isOptional = false;
  if (value instanceof OptionalValue) {
    if (value.value === undefined) return isTestPath(qualifiers) ? false : value;
    value = value.value;
    isOptional = true;
  }
  for (const qualifier of qualifiers) {
    isOptional ||= qualifier.isOptional;
    const key = qualifier.key(frame);
    const found: Value | undefined = key instanceof CelError ? key : findMember(value, key);
    if (qualifier.isTest) {
      if (!isOptional || found !== undefined) frame.cost++;
      return found instanceof CelError ? found : found !== undefined;
    }
    if (isOptional) {
      if (found === undefined) return isTestPath(qualifiers) ? false : optionalNone;
      if (found instanceof CelError) return found;
      frame.cost++;
      value = found;
    } else {
      frame.cost++;
      value = found === undefined ? getMember(value, key) : found;
      if (value instanceof CelError) return value;
    }
  }
  return isOptional ? new OptionalValue(value) : value;
}

const isTestPath = (qualifiers: readonly Qualifier[]): boolean => qualifiers.at(-1)?.isTest === true;
