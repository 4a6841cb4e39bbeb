import { type FieldNode, type SchemaNode, type TypeCode, typeCodes } from "../schema/index.js";

/** A schema node with what the walk asks of it worked out once. All plans have one shape. */
export interface Plan {
  readonly code: TypeCode;
  readonly node: SchemaNode;
  /** Struct: members in canonical order. Empty until `planStruct` has been called. */
  fields: FieldPlan[];
  byName: Map<string, FieldPlan>;
  /** Struct: how many members are written even when absent. */
  always: number;
  /** Struct: unknown members are kept, all members in order of their names. */
  readonly open: boolean;
  readonly element: Plan | undefined;
  readonly elementPointer: boolean;
  ready: boolean;
}

export interface FieldPlan {
  readonly name: string;
  readonly index: number;
  readonly plan: Plan;
  readonly pointer: boolean;
  /** The zero value (of a pointer: nil) is left out. */
  readonly drop: boolean;
}

const plans = new WeakMap<SchemaNode, Plan>();
const noFields: FieldPlan[] = [];
const noNames = new Map<string, FieldPlan>();

export function planOf(node: SchemaNode): Plan {
  const done = plans.get(node);
  if (done) return done;
  const plan: Plan = {
    code: node.code,
    node,
    fields: noFields,
    byName: noNames,
    always: 0,
    open: node.preserveUnknown,
    element: node.element && planOf(node.element),
    elementPointer: node.elementPointer,
    ready: node.code !== typeCodes.struct,
  };
  plans.set(node, plan);
  return plan;
}

/** Fills in a struct's members at its first use: types may contain themselves, and most are never met. */
export function planStruct(plan: Plan): void {
  plan.fields = plan.node.fields.map(planField);
  plan.byName = new Map(plan.fields.map((field) => [field.name, field]));
  plan.always = plan.fields.filter((field) => !field.drop).length;
  plan.ready = true;
}

function planField(field: FieldNode): FieldPlan {
  const drop = field.omitZero || (field.omitEmpty && (field.pointer || canBeEmpty(field.type.code)));
  return { name: field.name, index: field.index, plan: planOf(field.type), pointer: field.pointer, drop };
}

/** What `omitempty` looks at: Go holds the other types in structs, and a struct is never empty. */
function canBeEmpty(code: TypeCode): boolean {
  switch (code) {
    case typeCodes.string:
    case typeCodes.bool:
    case typeCodes.int32:
    case typeCodes.int64:
    case typeCodes.uint32:
    case typeCodes.float64:
    case typeCodes.bytes:
    case typeCodes.list:
    case typeCodes.map:
    case typeCodes.wrappedStringList:
      return true;
    default:
      return false;
  }
}
