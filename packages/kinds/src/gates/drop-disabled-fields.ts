import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { forgetMember, wasGivenEmpty } from "@coxswain/apimachinery/json";
import { getOwn, ownKeys } from "@coxswain/apimachinery/own";
import { type FieldNode, type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";

/** The part of a type that has gated members anywhere below it. */
interface Plan {
  gated: readonly FieldNode[];
  members: readonly { readonly name: string; readonly plan: Plan }[];
  elements: Plan | undefined;
}

interface Gates {
  enabled(gate: string): boolean;
}

const plans = new WeakMap<SchemaNode, Plan | "none">();

export interface DropOptions {
  /** Gates that the kind heeds itself. */
  readonly except?: readonly string[];
  /** A stored object that uses one member of a feature may use all of them. @default each member stands for itself */
  readonly wholeFeatures?: boolean;
}

/**
 * Takes the members away whose feature gate is off, except those that the stored object uses already: a client that could write
 * such a member before may keep it.
 */
export function dropDisabledFields(
  node: SchemaNode,
  object: unknown,
  old: unknown,
  gates: Gates,
  { except = [], wholeFeatures = false }: DropOptions = {},
): void {
  const plan = planOf(node);
  if (plan === "none") return;
  const used = new Set<FieldNode>();
  // What was only given as empty is not used: it was never stored.
  if (old !== undefined)
    visit(plan, old, (members, field) => void (members[field.name] !== undefined && used.add(field)));
  const features = new Set(wholeFeatures ? [...used].flatMap((field) => field.gates) : []);
  visit(plan, object, (members, field) => {
    if (used.has(field) || field.gates.some((gate) => features.has(gate))) return;
    if (!field.gates.every((gate) => except.includes(gate) || gates.enabled(gate))) forgetMember(members, field.name);
  });
}

let switchable: ReadonlySet<string> | undefined;

/** Gates that can be off; a gate that upstream has dropped is on for good. */
function canBeOff(gate: string): boolean {
  switchable ??= new Set(
    builtInFeatureGates.filter(({ default: on, locked }) => !(on && locked)).map(({ name }) => name),
  );
  return switchable.has(gate);
}

function planOf(node: SchemaNode): Plan | "none" {
  const known = plans.get(node);
  if (known) return known;
  plans.set(node, "none"); // while it is made: a type that contains itself has no gated members in its inner self
  const gated = node.fields.filter((field) => field.gates.some(canBeOff));
  const members = node.fields.flatMap((field) => {
    const plan = planOf(field.type);
    return plan === "none" ? [] : [{ name: field.name, plan }];
  });
  const inner =
    (node.code === typeCodes.list || node.code === typeCodes.map) && node.element ? planOf(node.element) : "none";
  const elements = inner === "none" ? undefined : inner;
  const plan = gated.length > 0 || members.length > 0 || elements ? { gated, members, elements } : "none";
  plans.set(node, plan);
  return plan;
}

/** Meets each gated member that is there. */
function visit(plan: Plan, value: unknown, meet: (members: Record<string, unknown>, field: FieldNode) => void): void {
  if (typeof value !== "object" || value === null) return;
  const members = value as Record<string, unknown>;
  for (const field of plan.gated)
    if (members[field.name] !== undefined || wasGivenEmpty(members, field.name)) meet(members, field);
  for (const { name, plan: inner } of plan.members) visit(inner, members[name], meet);
  if (plan.elements) for (const key of ownKeys(members)) visit(plan.elements, getOwn(members, key), meet);
}
