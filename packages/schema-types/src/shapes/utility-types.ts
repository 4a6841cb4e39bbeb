import { SourceError, type SourcePlace } from "../syntax/source-place.js";
import { objectOf, unite } from "./combine-shapes.js";
import { alternativesOf, type Shape, type ShapeMember } from "./shape.js";

interface Context {
  readonly place: SourcePlace;
}

interface UtilityType {
  /** How many types it takes. */
  readonly operands: number;
  make(operands: readonly (() => Shape)[], context: Context): Shape;
}

const changeMembers = (
  change: (
    members: readonly ShapeMember[],
    operands: readonly (() => Shape)[],
    context: Context,
  ) => readonly ShapeMember[],
  name: string,
  operands = 1,
): UtilityType => ({
  operands,
  make(given, context) {
    const shape = given[0]!();
    const object = objectOf(shape, context.place);
    const members = change(object.members, given, context);
    // Another set of members is another type, so it is no recursion to meet the whole one inside.
    const identity = `${name}<${object.identity}:${members.map((member) => member.name).join()}>`;
    return { ...object, members, identity, place: context.place, docs: shape.docs };
  },
});

const withOptional = (members: readonly ShapeMember[], optional: boolean): ShapeMember[] =>
  members.map((member) => ({ ...member, optional }));

function namesOf(shape: Shape, { place }: Context): ReadonlySet<string> {
  const names = alternativesOf(shape).map((alternative) => {
    if (alternative.is === "literal") return String(alternative.value);
    throw new SourceError(place, "members are named by texts");
  });
  return new Set(names);
}

const same: UtilityType = { operands: 1, make: ([type]) => type!() };
const list: UtilityType = {
  operands: 1,
  make: ([element], { place }) => ({ is: "list", element: element!, place, docs: [] }),
};

const keptAlternatives = (keep: (isNamed: boolean) => boolean): UtilityType => ({
  operands: 2,
  make([type, other], context) {
    const names = namesOf(other!(), context);
    const kept = alternativesOf(type!()).filter((alternative) =>
      keep(alternative.is === "literal" && names.has(String(alternative.value))),
    );
    return unite(kept, context.place);
  },
});

/** TypeScript's own generic types, as far as a schema can follow them. */
export const utilityTypes: Readonly<Record<string, UtilityType>> = {
  Array: list,
  ReadonlyArray: list,
  Readonly: same,
  DeepReadonly: same,
  Partial: changeMembers((members) => withOptional(members, true), "Partial"),
  Required: changeMembers((members) => withOptional(members, false), "Required"),
  Pick: changeMembers(
    (members, [, names], context) => {
      const picked = namesOf(names!(), context);
      return members.filter(({ name }) => picked.has(name));
    },
    "Pick",
    2,
  ),
  Omit: changeMembers(
    (members, [, names], context) => {
      const omitted = namesOf(names!(), context);
      return members.filter(({ name }) => !omitted.has(name));
    },
    "Omit",
    2,
  ),
  Exclude: keptAlternatives((isNamed) => !isNamed),
  Extract: keptAlternatives((isNamed) => isNamed),
  NonNullable: {
    operands: 1,
    make: ([type], { place }) =>
      unite(
        alternativesOf(type!()).filter(({ is }) => is !== "null" && is !== "undefined"),
        place,
      ),
  },
  Record: {
    operands: 2,
    make([keys, value], context) {
      const { place } = context;
      const key = keys!();
      if (key.is === "scalar" && key.schema.type === "string")
        return { is: "object", members: [], values: value!, identity: "", place, docs: [] };
      const members = [...namesOf(key, context)].map((name) => ({
        name,
        optional: false,
        shape: value!,
        doc: { description: "", markers: [] },
        place,
      }));
      return {
        is: "object",
        members,
        values: undefined,
        identity: `Record<${[...namesOf(key, context)].join()}>`,
        place,
        docs: [],
      };
    },
  },
};
