import type { TypeRegistry } from "@coxswain/apimachinery/schema";
import { type Doc, emptyDoc, readDoc } from "../markers/read-doc.js";
import { SourceError, type SourcePlace } from "../syntax/source-place.js";
import type { Declaration, MemberNode, TypeModule, TypeNode } from "../syntax/type-node.js";
import { builtInType, scalarSchemas } from "./built-in-names.js";
import { intersect, memberNamed, objectOf, unite } from "./combine-shapes.js";
import { kubernetesObject } from "./kubernetes-object.js";
import type { ModuleLoader } from "./module-loader.js";
import type { Shape, ShapeMember } from "./shape.js";
import { utilityTypes } from "./utility-types.js";

/** The file a type stands in, and what its type parameters are. */
export interface Scope {
  readonly module: TypeModule;
  readonly parameters: ReadonlyMap<string, () => Shape>;
}

export interface TypeEvaluator {
  evaluate(type: TypeNode, scope: Scope): Shape;
  /** A declaration without arguments. */
  declared(module: TypeModule, declaration: Declaration): Shape;
}

/** A chain of aliases this long is an alias of itself. */
const maxDepth = 200;

const keywordSchemas: Readonly<Record<string, object>> = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  bigint: { type: "integer", format: "int64" },
  any: { "x-kubernetes-preserve-unknown-fields": true },
  unknown: { "x-kubernetes-preserve-unknown-fields": true },
  object: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
};

/** Makes shapes of types: follows names, applies generics and utility types, merges what interfaces extend. */
export const createTypeEvaluator = (loader: ModuleLoader, types: TypeRegistry): TypeEvaluator =>
  new ShapeMaker(loader, types);

class ShapeMaker implements TypeEvaluator {
  readonly #loader: ModuleLoader;
  readonly #types: TypeRegistry;
  #depth = 0;

  constructor(loader: ModuleLoader, types: TypeRegistry) {
    this.#loader = loader;
    this.#types = types;
  }

  declared(module: TypeModule, declaration: Declaration): Shape {
    return this.#apply(module, declaration, [], { source: module, offset: declaration.offset });
  }

  evaluate(type: TypeNode, scope: Scope): Shape {
    const place: SourcePlace = { source: scope.module, offset: type.offset };
    if (this.#depth > maxDepth) throw new SourceError(place, "this type is defined by itself");
    this.#depth += 1;
    try {
      return this.#evaluateAt(type, scope, place);
    } finally {
      this.#depth -= 1;
    }
  }

  #evaluateAt(type: TypeNode, scope: Scope, place: SourcePlace): Shape {
    const inner = (node: TypeNode): Shape => this.evaluate(node, scope);
    switch (type.is) {
      case "keyword":
        return keyword(type.name, place);
      case "literal":
        return { is: "literal", value: type.value, place, docs: [] };
      case "array":
        return { is: "list", element: () => inner(type.element), place, docs: [] };
      case "object":
        return {
          is: "object",
          members: type.members.map((member) => this.#memberShape(member, scope)),
          values: type.index && (() => inner(type.index!)),
          identity: `${scope.module.path}@${type.offset}${argumentsKey(scope)}`,
          place,
          docs: [],
        };
      case "mapped":
        return this.#mapped(type, scope, place);
      case "union":
        return unite(type.types.map(inner), place);
      case "intersection":
        return type.types.map(inner).reduce((a, b) => intersect(a, b, place));
      case "indexed":
        return this.#indexed(type, scope, place);
      case "keyof": {
        const names = objectOf(inner(type.of), place).members.map(({ name }) => name);
        return unite(
          names.map((value) => ({ is: "literal", value, place, docs: [] })),
          place,
        );
      }
      case "reference":
        return this.#reference(type, scope, place);
      case "tuple":
        throw new SourceError(
          place,
          "a schema cannot have a list whose items differ by position: use an object with named members",
        );
      case "unsupported":
        throw new SourceError(place, `${type.what} has no schema`);
    }
  }

  #reference(type: TypeNode & { is: "reference" }, scope: Scope, place: SourcePlace): Shape {
    const parameter = scope.parameters.get(type.name);
    if (parameter) return parameter();
    const found = this.#loader.resolve(scope.module, type.name);
    const operands = type.arguments.map((argument) => () => this.evaluate(argument, scope));
    if (found?.is === "declared") return this.#apply(found.module, found.declaration, operands, place);
    if (found?.is === "built-in") return this.#builtIn(found.module, found.name, operands, place);
    const utility = Object.hasOwn(utilityTypes, type.name) ? utilityTypes[type.name] : undefined;
    if (utility) {
      if (operands.length !== utility.operands)
        throw new SourceError(place, `${type.name} takes ${utility.operands} type${utility.operands === 1 ? "" : "s"}`);
      return utility.make(operands, { place });
    }
    if (type.name === "Date")
      throw new SourceError(place, 'JSON has no dates: use Time of "@coxswain/api" (RFC 3339 text)');
    throw new SourceError(place, `"${type.name}" is neither declared nor imported in this file`);
  }

  #builtIn(module: string, name: string, operands: readonly (() => Shape)[], place: SourcePlace): Shape {
    if (name === "KubernetesObject" || name === "CustomResource") return kubernetesObject(operands, place);
    if (Object.hasOwn(scalarSchemas, name)) return { is: "scalar", schema: scalarSchemas[name]!, place, docs: [] };
    const type = builtInType(this.#types, module, name);
    if (type) return { is: "built-in", type, place, docs: [] };
    if (!module.startsWith("@coxswain/api/"))
      throw new SourceError(place, `"${name}" of "${module}" is no type of the Kubernetes API`);
    // Names for texts (ResourceName, UniqueVolumeName) are not in the tables; that the name exists is the compiler's to check.
    return { is: "scalar", schema: { type: "string" }, place, docs: [] };
  }

  #apply(module: TypeModule, declaration: Declaration, operands: readonly (() => Shape)[], place: SourcePlace): Shape {
    const parameters = new Map<string, () => Shape>();
    const scope: Scope = { module, parameters };
    for (const [index, { name, fallback }] of declaration.parameters.entries()) {
      const operand = operands[index] ?? (fallback && (() => this.evaluate(fallback, scope)));
      if (!operand) throw new SourceError(place, `${declaration.name} needs a type for its parameter ${name}`);
      parameters.set(name, operand);
    }
    const own = this.evaluate(declaration.type, scope);
    const parents = declaration.extends.map((parent) => this.evaluate(parent, scope));
    const doc = readDoc(module, declaration.doc);
    const shape = parents.reduceRight<Shape>((child, parent) => intersect(parent, child, place), own);
    return { ...shape, docs: [...own.docs, ...(doc === emptyDoc ? [] : [doc])], place: shape.place };
  }

  #memberShape(member: MemberNode, scope: Scope): ShapeMember {
    const doc: Doc = readDoc(scope.module, member.doc);
    const place = { source: scope.module, offset: member.offset };
    return { name: member.name, optional: member.optional, doc, place, shape: () => this.evaluate(member.type, scope) };
  }

  #mapped(type: TypeNode & { is: "mapped" }, scope: Scope, place: SourcePlace): Shape {
    const keys = this.evaluate(type.over, scope);
    const members: ShapeMember[] = [];
    let values: (() => Shape) | undefined;
    for (const key of keys.is === "union" ? keys.alternatives : [keys]) {
      const parameters = new Map([...scope.parameters, [type.parameter, () => key] as const]);
      const shape = (): Shape => this.evaluate(type.value, { ...scope, parameters });
      if (key.is === "literal")
        members.push({ name: String(key.value), optional: type.optional, shape, doc: emptyDoc, place });
      else if (key.is === "scalar" && key.schema.type === "string") values = shape;
      else throw new SourceError(place, "the keys of a mapped type are texts");
    }
    const identity = `${scope.module.path}@${type.offset}${argumentsKey(scope)}`;
    return { is: "object", members, values, identity, place, docs: [] };
  }

  #indexed(type: TypeNode & { is: "indexed" }, scope: Scope, place: SourcePlace): Shape {
    const object = this.evaluate(type.object, scope);
    const index = this.evaluate(type.index, scope);
    if (object.is === "list" && index.is === "scalar" && index.schema.type === "number") return object.element();
    if (index.is !== "literal") throw new SourceError(place, 'a member is picked by its name: Pod["spec"]');
    const member = memberNamed(objectOf(object, place), String(index.value));
    if (!member) throw new SourceError(place, `there is no member "${String(index.value)}"`);
    return member.shape();
  }
}

function keyword(name: string, place: SourcePlace): Shape {
  if (name === "null" || name === "undefined" || name === "never") return { is: name, place, docs: [] };
  if (Object.hasOwn(keywordSchemas, name)) return { is: "scalar", schema: keywordSchemas[name]!, place, docs: [] };
  throw new SourceError(place, `"${name}" has no schema`);
}

/** Distinguishes one generic type with different arguments: `Page<Video>` inside `Page<Film>` is no recursion. */
function argumentsKey(scope: Scope): string {
  if (scope.parameters.size === 0) return "";
  return `<${[...scope.parameters.values()].map((shape) => identityOf(shape())).join(",")}>`;
}

function identityOf(shape: Shape): string {
  switch (shape.is) {
    case "object":
      return shape.identity;
    case "built-in":
      return shape.type.name;
    case "list":
      return `${identityOf(shape.element())}[]`;
    case "union":
      return shape.alternatives.map(identityOf).join("|");
    case "scalar":
      return JSON.stringify(shape.schema);
    case "literal":
      return JSON.stringify(shape.value);
    default:
      return shape.is;
  }
}
