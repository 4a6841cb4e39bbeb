/**
 * Messages as data: a table per message, read and written by interpreting it (proto3).
 *
 * - `int64` and `uint64` are numbers and exact within ±2^53; `bigint64` is for those that may be larger.
 * - `bytes` read from a message are views of it: copy what outlives it.
 * - A field of a message's own type is given as a function, since the table does not exist yet.
 */
export type ScalarType =
  | "string"
  | "bytes"
  | "bool"
  | "int32"
  | "uint32"
  | "enum"
  | "int64"
  | "uint64"
  | "bigint64"
  | "double";

export interface MapType {
  readonly map: ScalarType | MessageType;
}

export interface MessageField {
  readonly number: number;
  readonly type: ScalarType | MessageType | MapType | (() => MessageType);
  readonly repeated?: boolean;
  /** Presence matters: zero is written, and absence is read as undefined. Members of a oneof are such fields. */
  readonly optional?: boolean;
  /** Of an enum, by number, as JSON has them. @default numbers */
  readonly names?: readonly string[];
}

export type MessageFields = Readonly<Record<string, MessageField>>;

/** A message's table. `fields` keeps the order in which fields are written. */
export interface MessageType<F extends MessageFields = MessageFields> {
  readonly kind: "message";
  readonly fields: F;
}

export const message = <const F extends MessageFields>(fields: F): MessageType<F> => ({ kind: "message", fields });

interface Scalars {
  string: string;
  bytes: Uint8Array;
  bool: boolean;
  int32: number;
  uint32: number;
  enum: number;
  int64: number;
  uint64: number;
  bigint64: bigint;
  double: number;
}

type Single<T> = T extends keyof Scalars
  ? Scalars[T]
  : T extends MessageType
    ? Decoded<T>
    : T extends MapType
      ? ReadonlyMap<string, Single<T["map"]>>
      : T extends () => infer M
        ? M extends MessageType
          ? Decoded<M>
          : never
        : never;
type Value<F extends MessageField> = F extends { readonly repeated: true }
  ? readonly Single<F["type"]>[]
  : F extends { readonly optional: true }
    ? Single<F["type"]> | undefined
    : F["type"] extends ScalarType | MapType
      ? Single<F["type"]>
      : Single<F["type"]> | undefined;

/** A message as it was read: every field is there; absent sub-messages are undefined. */
export type Decoded<M extends MessageType> = { readonly [Name in keyof M["fields"]]: Value<M["fields"][Name]> };

type SingleInput<T> = T extends keyof Scalars
  ? Scalars[T]
  : T extends MessageType
    ? Encodable<T>
    : T extends MapType
      ? ReadonlyMap<string, SingleInput<T["map"]>>
      : T extends () => infer M
        ? M extends MessageType
          ? Encodable<M>
          : never
        : never;

/** A message to be written: what is left out has its zero value. */
export type Encodable<M extends MessageType> = {
  readonly [Name in keyof M["fields"]]?:
    | (M["fields"][Name] extends { readonly repeated: true }
        ? readonly SingleInput<M["fields"][Name]["type"]>[]
        : SingleInput<M["fields"][Name]["type"]>)
    | undefined;
};
