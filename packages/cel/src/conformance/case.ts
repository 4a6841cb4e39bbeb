import { type FunctionDeclaration } from "../declarations/function-declaration.js";
import { toDurationValue, toTimestampValue } from "../stdlib/convert.js";
import {
  anyType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullableType,
  nullType,
  objectType,
  opaqueType,
  stringType,
  type Type,
  timestampType,
  typeOfType,
  typeParam,
  typeType,
  uintType,
} from "../types/type.js";
import { intOf } from "../values/int.js";
import { ArrayList } from "../values/list-value.js";
import { EntriesMap } from "../values/map-value.js";
import { Double, Uint, type Value } from "../values/value.js";

/** One test of the specification, as protojson writes it. */
export interface ConformanceCase {
  readonly file: string;
  readonly section: string;
  readonly name: string;
  readonly expr: string;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly typeEnv?: readonly {
    readonly name: string;
    readonly ident?: { readonly type: ProtoType };
    readonly function?: { readonly overloads: readonly ProtoOverload[] };
  }[];
  readonly bindings?: Readonly<Record<string, { readonly value: ProtoValue }>>;
  readonly value?: ProtoValue;
  readonly evalError?: unknown;
  readonly typedResult?: { readonly deducedType: ProtoType; readonly result?: ProtoValue };
}

export interface ProtoOverload {
  readonly overloadId: string;
  readonly params?: readonly ProtoType[];
  readonly resultType: ProtoType;
  readonly isInstanceFunction?: boolean;
}

export interface ProtoValue {
  readonly nullValue?: null;
  readonly boolValue?: boolean;
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | string;
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly typeValue?: string;
  readonly listValue?: { readonly values?: readonly ProtoValue[] };
  readonly mapValue?: { readonly entries?: readonly { readonly key: ProtoValue; readonly value: ProtoValue }[] };
  readonly objectValue?: { readonly "@type": string; readonly value?: unknown };
  readonly enumValue?: unknown;
}

export interface ProtoType {
  readonly primitive?: string;
  readonly wrapper?: string;
  readonly wellKnown?: string;
  readonly dyn?: unknown;
  readonly null?: unknown;
  readonly error?: unknown;
  readonly listType?: { readonly elemType?: ProtoType };
  readonly mapType?: { readonly keyType?: ProtoType; readonly valueType?: ProtoType };
  readonly messageType?: string;
  readonly typeParam?: string;
  readonly type?: ProtoType;
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly ProtoType[] };
}

/** The functions that a case declares; they are only checked, never called. */
export const readFunctions = ({ typeEnv = [] }: ConformanceCase): FunctionDeclaration[] =>
  typeEnv.flatMap(({ name, function: declared }) =>
    declared === undefined
      ? []
      : {
          name,
          overloads: declared.overloads.map(({ overloadId, params = [], resultType, isInstanceFunction = false }) => ({
            id: overloadId,
            args: params.map(readType),
            result: readType(resultType),
            isMember: isInstanceFunction,
          })),
        },
  );

/** The value, or undefined for a protobuf message. */
export function readValue(proto: ProtoValue): Value | undefined {
  if ("nullValue" in proto) return null;
  if (proto.boolValue !== undefined) return proto.boolValue;
  if (proto.int64Value !== undefined) return intOf(BigInt(proto.int64Value));
  if (proto.uint64Value !== undefined) return new Uint(BigInt(proto.uint64Value));
  if (proto.doubleValue !== undefined) return new Double(Number(proto.doubleValue));
  if (proto.stringValue !== undefined) return proto.stringValue;
  if (proto.bytesValue !== undefined) return Uint8Array.from(Buffer.from(proto.bytesValue, "base64"));
  if (proto.typeValue !== undefined) return typeNames.get(proto.typeValue) ?? objectType(proto.typeValue);
  if (proto.listValue !== undefined) return readList(proto.listValue.values ?? []);
  if (proto.mapValue !== undefined) return readMap(proto.mapValue.entries ?? []);
  return readMessage(proto.objectValue);
}

const typeNames: ReadonlyMap<string, Type> = new Map([
  ["list", listType(dynType)],
  ["map", mapType(dynType, dynType)],
]);

function readList(protos: readonly ProtoValue[]): Value | undefined {
  const values = protos.map(readValue);
  return values.every((value) => value !== undefined) ? new ArrayList(values) : undefined;
}

function readMap(entries: readonly { readonly key: ProtoValue; readonly value: ProtoValue }[]): Value | undefined {
  const pairs: [Value, Value][] = [];
  for (const entry of entries) {
    const [key, value] = [readValue(entry.key), readValue(entry.value)];
    if (key === undefined || value === undefined) return undefined;
    pairs.push([key, value]);
  }
  return new EntriesMap(pairs);
}

function readMessage(message: ProtoValue["objectValue"]): Value | undefined {
  const value = message?.value;
  if (typeof value !== "string") return undefined;
  switch (message?.["@type"]) {
    case "type.googleapis.com/google.protobuf.Timestamp":
      return toTimestampValue(value, timestampType);
    case "type.googleapis.com/google.protobuf.Duration":
      return toDurationValue(value, durationType);
    default:
      return undefined;
  }
}

const primitives: Readonly<Record<string, Type>> = {
  BOOL: boolType,
  BYTES: bytesType,
  DOUBLE: doubleType,
  INT64: intType,
  STRING: stringType,
  UINT64: uintType,
};

const wellKnown: Readonly<Record<string, Type>> = { ANY: anyType, DURATION: durationType, TIMESTAMP: timestampType };

export function readType(proto: ProtoType | undefined): Type {
  if (proto?.primitive !== undefined) return primitives[proto.primitive] as Type;
  if (proto?.wrapper !== undefined) return nullableType(primitives[proto.wrapper] as Type);
  if (proto?.wellKnown !== undefined) return wellKnown[proto.wellKnown] as Type;
  if (proto !== undefined && "null" in proto) return nullType;
  if (proto?.listType !== undefined) return listType(readType(proto.listType.elemType));
  if (proto?.mapType !== undefined) return mapType(readType(proto.mapType.keyType), readType(proto.mapType.valueType));
  if (proto?.messageType !== undefined) return objectType(proto.messageType);
  if (proto?.typeParam !== undefined) return typeParam(proto.typeParam);
  if (proto?.abstractType !== undefined)
    return opaqueType(proto.abstractType.name, ...(proto.abstractType.parameterTypes ?? []).map(readType));
  if (proto?.type !== undefined)
    return Object.keys(proto.type).length === 0 ? typeType : typeOfType(readType(proto.type));
  return dynType;
}
