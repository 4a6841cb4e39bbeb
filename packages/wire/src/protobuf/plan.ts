import type { MessageField, MessageType, ScalarType } from "./message.js";

/** A field, made ready for the loops that read and write. */
export interface FieldPlan {
  readonly name: string;
  readonly number: number;
  readonly scalar: ScalarType | undefined;
  readonly wireType: number;
  readonly repeated: boolean;
  readonly optional: boolean;
  /** Numbers that repeat are written in one run; both forms are read. */
  readonly packed: boolean;
  /** Of a sub-message; called late, since tables may refer to themselves. */
  readonly inner: () => MessageType;
  /** A map is written as repeated entries of this message. */
  readonly entry: MessageType | undefined;
}

export interface MessagePlan {
  readonly fields: readonly FieldPlan[];
  readonly byNumber: ReadonlyMap<number, FieldPlan>;
}

export const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

const plans = new WeakMap<MessageType, MessagePlan>();

export function planOf(type: MessageType): MessagePlan {
  const known = plans.get(type);
  if (known) return known;
  const fields = Object.entries(type.fields).map(([name, field]) => planField(name, field));
  const plan = { fields, byNumber: new Map(fields.map((field) => [field.number, field])) };
  plans.set(type, plan);
  return plan;
}

function planField(name: string, field: MessageField): FieldPlan {
  const { type } = field;
  const base = {
    name,
    number: field.number,
    repeated: field.repeated ?? false,
    optional: field.optional ?? false,
    entry: undefined,
  };
  if (typeof type === "string") {
    const wireType =
      type === "double" ? wire.fixed64 : type === "string" || type === "bytes" ? wire.bytes : wire.varint;
    return { ...base, scalar: type, wireType, packed: base.repeated && wireType !== wire.bytes, inner: noInner };
  }
  const shared = { ...base, scalar: undefined, wireType: wire.bytes, packed: false };
  if (typeof type === "function") return { ...shared, inner: type };
  if ("kind" in type) return { ...shared, inner: () => type };
  const entry: MessageType = {
    kind: "message",
    fields: { key: { number: 1, type: "string" }, value: { number: 2, type: type.map } },
  };
  return { ...shared, inner: noInner, entry };
}

function noInner(): MessageType {
  throw new TypeError("a scalar field has no message");
}
