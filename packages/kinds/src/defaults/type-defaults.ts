import { getOwn, ownKeys } from "@coxswain/apimachinery/own";
import { type FieldNode, type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";

/**
 * What is set in each value of a type, wherever it stands in an object: by the type's OpenAPI name.
 * Like upstream's defaults, which are functions of a type too: those of a container serve pods and every pod template.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- each function takes its own type, which the tables alone tie to the name.
export type TypeDefaults = Readonly<Record<string, (value: any) => void>>;

/** The part of a type that has defaults anywhere below it. */
interface Plan {
  set: ((value: unknown) => void) | undefined;
  marked: readonly FieldNode[];
  members: readonly { readonly name: string; readonly plan: Plan }[];
  elements: Plan | undefined;
}

/**
 * Sets the defaults of every value in an object, the outer before the inner: first by the functions given, then those that the
 * tables mark. Subtrees whose types have none are not visited.
 */
export function createTypeDefaults(root: SchemaNode, functions: TypeDefaults): (object: unknown) => void {
  const plan = planOf(root, functions, new Map());
  return plan ? (object) => apply(plan, object) : () => undefined;
}

/** A type that contains itself is taken to have no defaults in its inner self; none of the built-in ones has. */
function planOf(node: SchemaNode, functions: TypeDefaults, known: Map<SchemaNode, Plan | undefined>): Plan | undefined {
  if (known.has(node)) return known.get(node);
  known.set(node, undefined);
  const set = node.name === "" ? undefined : functions[node.name];
  const marked = node.fields.filter(
    (field) => field.defaultValue !== undefined && (field.pointer || isSet(field.defaultValue)),
  );
  const members = node.fields.flatMap((field) => {
    const plan = planOf(field.type, functions, known);
    return plan ? [{ name: field.name, plan }] : [];
  });
  const elements =
    (node.code === typeCodes.list || node.code === typeCodes.map) && node.element
      ? planOf(node.element, functions, known)
      : undefined;
  const plan =
    set || marked.length > 0 || members.length > 0 || elements ? { set, marked, members, elements } : undefined;
  known.set(node, plan);
  return plan;
}

/** Whether Go would call it anything but zero. */
const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && value !== 0 && value !== false;

function apply(plan: Plan, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  plan.set?.(value);
  const members = value as Record<string, unknown>;
  for (const { name, pointer, defaultValue } of plan.marked) {
    const present = pointer ? members[name] !== undefined && members[name] !== null : isSet(members[name]);
    if (!present) members[name] = defaultValue;
  }
  for (const { name, plan: inner } of plan.members) apply(inner, members[name]);
  if (plan.elements) for (const key of ownKeys(members)) apply(plan.elements, getOwn(members, key));
}
