import { maxDepth } from "./decode.js";
import type { Decoded, Encodable, MapType, MessageField, MessageType, ScalarType } from "./message.js";
import { ProtobufError } from "./reader.js";

/**
 * Messages as JSON, by the mapping of proto3 with the fields' own names: 64-bit integers are strings, bytes are base64, enums are names, and
 * what has its zero value is left out. Maps are not there: no message that is served as JSON has one.
 */
export function toJson<M extends MessageType>(type: M, message: Encodable<M>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(type.fields)) {
    const value = (message as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    if (field.repeated) {
      const items = value as readonly unknown[];
      if (items.length > 0) out[name] = items.map((item) => valueToJson(field, item));
    } else if (field.optional || !isZero(value)) out[name] = valueToJson(field, value);
  }
  return out;
}

/** Members may have the field's own name or its lower camel case. @throws ProtobufError where a value does not fit or a member is unknown */
export function fromJson<M extends MessageType>(type: M, json: unknown): Decoded<M> {
  return messageFromJson(type, json, 0) as Decoded<M>;
}

function messageFromJson(type: MessageType, json: unknown, depth: number): Record<string, unknown> {
  if (depth > maxDepth) throw new ProtobufError("messages are nested too deeply");
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new ProtobufError("a message is a JSON object");
  const given = new Map(Object.entries(json));
  const out: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(type.fields)) {
    const spelled = given.has(name) ? name : lowerCamelCase(name);
    const value = given.get(spelled) ?? undefined; // null stands for the zero value
    given.delete(spelled);
    const at = { name, field, depth };
    out[name] = field.repeated ? listFromJson(at, value) : valueFromJson(at, value);
  }
  for (const unknown of given.keys()) throw new ProtobufError(`unknown field ${JSON.stringify(unknown)}`);
  return out;
}

/** Where a value stands. */
interface Place {
  readonly name: string;
  readonly field: MessageField;
  readonly depth: number;
}

const isZero = (value: unknown): boolean =>
  value === 0 || value === 0n || value === false || value === "" || (value instanceof Uint8Array && value.length === 0);

const messageOf = (type: MessageField["type"]): MessageType | undefined =>
  typeof type === "function" ? type() : typeof type === "object" && "kind" in type ? type : undefined;

function valueToJson({ type, names }: MessageField, value: unknown): unknown {
  const inner = messageOf(type);
  if (inner) return toJson(inner, value as Encodable<MessageType>);
  switch (type as ScalarType | MapType) {
    case "bytes":
      return Buffer.from(value as Uint8Array).toString("base64");
    case "int64":
    case "uint64":
    case "bigint64":
      return String(value);
    case "enum":
      return names?.[value as number] ?? value;
    default:
      return value;
  }
}

function listFromJson(at: Place, value: unknown): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new ProtobufError(`${at.name} is a list`);
  return value.map((item: unknown) => valueFromJson(at, item));
}

const zeros: Readonly<Record<ScalarType, () => unknown>> = {
  string: () => "",
  bytes: () => new Uint8Array(0),
  bool: () => false,
  int32: () => 0,
  uint32: () => 0,
  enum: () => 0,
  int64: () => 0,
  uint64: () => 0,
  bigint64: () => 0n,
  double: () => 0,
};

function valueFromJson({ name, field, depth }: Place, value: unknown): unknown {
  const inner = messageOf(field.type);
  if (inner) return value === undefined ? undefined : messageFromJson(inner, value, depth + 1);
  const scalar = field.type as ScalarType;
  if (value === undefined) return field.optional ? undefined : zeros[scalar]();
  const read = scalarFromJson(scalar, field, value);
  if (read === undefined) throw new ProtobufError(`${name} cannot be ${JSON.stringify(value).slice(0, 100)}`);
  return read;
}

/** undefined: it does not fit. */
function scalarFromJson(scalar: ScalarType, { names }: MessageField, value: unknown): unknown {
  switch (scalar) {
    case "string":
      return typeof value === "string" ? value : undefined;
    case "bool":
      return typeof value === "boolean" ? value : undefined;
    case "bytes":
      return typeof value === "string" && isBase64(value) ? Buffer.from(value, "base64") : undefined;
    case "enum":
      return typeof value === "string" ? indexOf(names, value) : integer(value);
    case "bigint64":
      return integer(value) === undefined ? undefined : BigInt(value as string | number);
    case "double":
      return typeof value === "number" ? value : undefined;
    default:
      return integer(value);
  }
}

const indexOf = (names: readonly string[] = [], name: string): number | undefined =>
  names.includes(name) ? names.indexOf(name) : undefined;

/** As a number or as its decimal text; of those beyond ±2^53 a number is not exact, which only `bigint64` has. */
function integer(value: unknown): number | undefined {
  if (typeof value === "string" && /^-?\d{1,19}$/.test(value)) return Number(value);
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

/** Both alphabets, with or without padding, as protobuf's JSON mapping accepts them. */
const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_-]*={0,2}$/.test(text);

const lowerCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
