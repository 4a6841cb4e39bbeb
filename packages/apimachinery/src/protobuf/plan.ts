import { type Plan, planOf, planStruct } from "../json/plan.js";
import { createNode, type SchemaNode, type TypeCode, typeCodes } from "../schema/index.js";

/** A struct's message with what the codec asks of it worked out once. */
export interface MessagePlan {
  /** Members in JSON order and the rules of what is left out. */
  readonly json: Plan;
  /** The place of each member that the message has, inlined ones too. */
  readonly slots: ReadonlyMap<string, number>;
  /** In order of number. */
  readonly entries: readonly MessageEntry[];
  /** The same by number, with holes. */
  readonly byNumber: readonly (MessageEntry | undefined)[];
}

export interface MessageEntry {
  readonly number: number;
  /** Number and wire type as they are written; of a list, for one item. */
  readonly tag: number;
  readonly name: string;
  /** The place of the member among the JSON members. */
  readonly slot: number;
  readonly pointer: boolean;
  /** Nothing is written where nothing is. Other members are written as zeros. */
  readonly skipNil: boolean;
  /** A zero that was read is as good as nothing read. */
  readonly dropZero: boolean;
  /** A JSON-inline struct: its members are the parent's members, its message is nested here. */
  readonly inline: MessagePlan | undefined;
  readonly value: ValuePlan;
}

/** How a value is written. `message`, `element`: planned at first use, because types may contain themselves. */
export interface ValuePlan {
  readonly code: TypeCode;
  /** 0 varint, 1 fixed64, 2 with a length. */
  readonly wire: number;
  readonly node: SchemaNode;
  readonly elementPointer: boolean;
  message: MessagePlan | undefined;
  element: ValuePlan | undefined;
}

const messages = new WeakMap<SchemaNode, MessagePlan>();
const values = new WeakMap<SchemaNode, ValuePlan>();

export function messagePlanOf(node: SchemaNode): MessagePlan {
  const done = messages.get(node);
  if (done) return done;
  const plan = makePlan(node, node);
  messages.set(node, plan);
  return plan;
}

/** `root`: where the members stand; `node`: whose message it is (the same, or a struct inlined into it). */
function makePlan(node: SchemaNode, root: SchemaNode): MessagePlan {
  const json = planOf(root);
  if (!json.ready) planStruct(json);
  const entries = node.message.map(({ number, field, inline, pointer }): MessageEntry => {
    if (inline)
      return {
        number,
        tag: number * 8 + 2,
        name: "",
        slot: -1,
        pointer,
        skipNil: false,
        dropZero: false,
        inline: makePlan(inline, root),
        value: noValue,
      };
    const member = field && root.byName.get(field.name);
    if (!member) throw new Error(`${root.name} has no member for field ${number} of its message`);
    const value = valuePlanOf(member.type);
    const wire = value.code === typeCodes.list ? elementOf(value).wire : value.wire;
    return {
      number,
      tag: number * 8 + wire,
      name: member.name,
      slot: member.index,
      pointer,
      skipNil: pointer || canBeNil(value.code),
      dropZero: !pointer && (json.fields[member.index]?.drop ?? false),
      inline: undefined,
      value,
    };
  });
  const slots = new Map(
    entries.flatMap((entry) => (entry.inline ? [...entry.inline.slots] : [[entry.name, entry.slot]])),
  );
  const byNumber: (MessageEntry | undefined)[] = [];
  for (const entry of entries) byNumber[entry.number] = entry;
  return { json, slots, entries, byNumber: Array.from(byNumber) };
}

export function valuePlanOf(node: SchemaNode): ValuePlan {
  const done = values.get(node);
  if (done) return done;
  const plan: ValuePlan = {
    code: node.code,
    wire: wireOf(node.code),
    node,
    elementPointer: node.elementPointer,
    message: undefined,
    element: undefined,
  };
  values.set(node, plan);
  return plan;
}

/** The message of a struct, or of the struct in a union. */
export function messageOf(plan: ValuePlan): MessagePlan {
  return (plan.message ??= messagePlanOf(
    plan.code === typeCodes.struct ? plan.node : (plan.node.element as SchemaNode),
  ));
}

export function elementOf(plan: ValuePlan): ValuePlan {
  return (plan.element ??= valuePlanOf(plan.node.element as SchemaNode));
}

function canBeNil(code: TypeCode): boolean {
  return (
    code === typeCodes.list ||
    code === typeCodes.map ||
    code === typeCodes.bytes ||
    code === typeCodes.wrappedStringList
  );
}

function wireOf(code: TypeCode): number {
  switch (code) {
    case typeCodes.bool:
    case typeCodes.int32:
    case typeCodes.int64:
    case typeCodes.uint32:
      return 0;
    case typeCodes.float64:
      return 1;
    default:
      return 2;
  }
}

const noValue: ValuePlan = {
  code: typeCodes.struct,
  wire: 2,
  node: createNode(typeCodes.struct),
  elementPointer: false,
  message: undefined,
  element: undefined,
};
