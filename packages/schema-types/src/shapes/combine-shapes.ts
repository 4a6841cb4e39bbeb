import { type FieldNode, typeCodes } from "@coxswain/apimachinery/schema";
import { emptyDoc } from "../markers/read-doc.js";
import { SourceError, type SourcePlace } from "../syntax/source-place.js";
import { alternativesOf, type ObjectShape, type Shape, type ShapeMember } from "./shape.js";

/** A union without nested unions; `never` vanishes, and one alternative is no union. */
export function unite(shapes: readonly Shape[], place: SourcePlace): Shape {
  const alternatives = shapes.flatMap((shape) => alternativesOf(shape)).filter(({ is }) => is !== "never");
  if (alternatives.length === 1) return alternatives[0]!;
  return alternatives.length === 0 ? { is: "never", place, docs: [] } : { is: "union", alternatives, place, docs: [] };
}

/** A shape that has members: an object, or a struct of Kubernetes as one. */
export function objectOf(shape: Shape, place: SourcePlace): ObjectShape {
  if (shape.is === "object") return shape;
  if (shape.is === "built-in" && shape.type.code === typeCodes.struct) {
    const members = shape.type.fields.map((field) => builtInMember(field, place));
    return { is: "object", members, values: undefined, identity: shape.type.name };
  }
  throw new SourceError(place, "only a type with members can stand here");
}

function builtInMember(field: FieldNode, place: SourcePlace): ShapeMember {
  const shape: Shape = { is: "built-in", type: field.type, place, docs: [] };
  return { name: field.name, optional: !field.required, shape: () => shape, doc: emptyDoc, place };
}

export const memberNamed = (object: ObjectShape, name: string): ShapeMember | undefined =>
  object.members.find((member) => member.name === name);

/** `A & B`, and `interface B extends A`: members of both; where both have one, it must be both. */
export function intersect(a: Shape, b: Shape, place: SourcePlace): Shape {
  // `string & {}` keeps an open union of texts from collapsing; it is a string.
  if (isEmptyObject(b) && a.is !== "object") return a;
  if (isEmptyObject(a) && b.is !== "object") return b;
  if (a.is === "never" || b.is === "never") return { is: "never", place, docs: [] };
  if (a.is === "union" || b.is === "union") {
    const pairs = alternativesOf(a).flatMap((left) => alternativesOf(b).map((right) => intersect(left, right, place)));
    return unite(pairs, place);
  }
  if (a.is === "literal" || b.is === "literal") return intersectLiteral(a, b, place);
  if (a.is === "scalar" && b.is === "scalar") {
    if (a.schema.type === b.schema.type) return { ...a, schema: { ...a.schema, ...b.schema } };
    throw new SourceError(place, "no value can be both of these types");
  }
  const left = objectOf(a, place);
  const right = objectOf(b, place);
  const members = new Map(left.members.map((member) => [member.name, member]));
  for (const member of right.members) {
    const other = members.get(member.name);
    members.set(member.name, other ? narrowed(other, member) : member);
  }
  return {
    is: "object",
    members: [...members.values()],
    values: right.values ?? left.values,
    identity: `${left.identity}&${right.identity}`,
    place,
    docs: [],
  };
}

/** A member of both: what the later one declares, which TypeScript allows only if it is narrower. */
function narrowed(a: ShapeMember, b: ShapeMember): ShapeMember {
  return {
    name: b.name,
    optional: a.optional && b.optional,
    doc: b.doc === emptyDoc ? a.doc : b.doc,
    place: b.place,
    shape: () => {
      const [left, right] = [a.shape(), b.shape()];
      const both = ["object", "union", "literal"];
      return both.includes(left.is) && both.includes(right.is) ? intersect(left, right, b.place) : right;
    },
  };
}

function intersectLiteral(a: Shape, b: Shape, place: SourcePlace): Shape {
  const [literal, other] = a.is === "literal" ? [a, b] : [b, a];
  if (literal.is === "literal" && other.is === "literal" && literal.value !== other.value)
    return { is: "never", place, docs: [] };
  return literal;
}

const isEmptyObject = (shape: Shape): boolean =>
  shape.is === "object" && shape.members.length === 0 && shape.values === undefined;
