import { type Type } from "../types/type.js";

/**
 * A value of CEL.
 *
 * Integers are numbers while they are safe, and bigints beyond ±2^53: the form in which JSON data already holds them, so
 * that objects are evaluated as they are. Doubles are the rare case and stand in a `Double`. A failed evaluation is a
 * value too (`CelError`): `&&`, `||` and the quantifiers absorb errors, so they are passed on rather than thrown.
 */
export type Value =
  | null
  | boolean
  | string
  | number
  | bigint
  | Double
  | Uint
  | Uint8Array
  | Duration
  | Timestamp
  | ListValue
  | MapValue
  | OptionalValue
  | OpaqueValue
  | Type
  | CelError;

export class Double {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

export class Uint {
  /** 0 to 2^64-1. */
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

export class Duration {
  /** An int64. */
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** A point in time, with nanoseconds. */
export class Timestamp {
  /** Whole seconds since 1970 UTC; negative before. */
  readonly seconds: number;
  /** 0 to 999,999,999, later than `seconds`. */
  readonly nanoseconds: number;
  /** Seconds east of UTC, as it was written: only string() shows it. */
  readonly offset: number;
  constructor(seconds: number, nanoseconds: number, offset = 0) {
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
    this.offset = offset;
  }
}

/** A list. Implementations convert elements of data that CEL did not make when they are asked for. */
export abstract class ListValue {
  abstract readonly size: number;
  /** The element at `index`, which is within bounds. */
  abstract get(index: number): Value;
  /** Overridden by lists whose equality is not by order (`x-kubernetes-list-type: set` and `map`). */
  equals?(other: Value): boolean;
  /** Overridden by lists that `+` merges rather than concatenates. */
  concat?(other: ListValue): Value;
}

/** A map, or an object read as one. */
export abstract class MapValue {
  abstract readonly size: number;
  /** The value at a key, or undefined. */
  abstract find(key: Value): Value | undefined;
  /** Overridden by maps whose `find` has an answer for keys that are not there: the result of `in`. */
  has?(key: Value): boolean;
  /** The keys; their order is the map's own. */
  abstract keys(): Iterable<Value>;
  /** Overridden by objects with data that is no part of the map. */
  equals?(other: MapValue): boolean;
}

export class OptionalValue {
  /** Undefined for optional.none(). */
  readonly value: Value | undefined;
  constructor(value: Value | undefined) {
    this.value = value;
  }
}

export const optionalNone = new OptionalValue(undefined);

/** A value that only its library understands: a URL, a quantity, an authorizer. */
export abstract class OpaqueValue {
  abstract readonly type: Type;
  abstract equals(other: Value): boolean;
  /** Whether `==` with the other has an answer; where not it is an error, and `!=` is true. @default always */
  canEqual?(other: Value): boolean;
  /** What size() and the cost model see; undefined for values without a size. */
  readonly size?: number;
  /** A field of it, for values of types with declared fields; undefined where the field is not set. */
  getField?(name: string): Value | undefined;
  /** What reading a field gives that is not set. @default an error */
  unsetField?(name: string): Value;
  /** Whether optional.ofNonZeroValue takes it for nothing. @default never */
  isZero?(): boolean;
  /** As error messages show it. */
  abstract toString(): string;
}

/** What evaluation ends with when it fails. */
export class CelError {
  readonly message: string;
  /** The expression node that failed first. */
  id: number;
  constructor(message: string, id = 0) {
    this.message = message;
    this.id = id;
  }
}

export const noSuchOverload = (): CelError => new CelError("no such overload");
