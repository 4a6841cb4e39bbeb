import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import { getOwn, ownEntries } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";

/** A custom resource's schema, read once: what of it gives values their shape. */
export interface Structural {
  /** "object", "array", "string", "integer", "number", "boolean"; "" for what may be several things. */
  readonly type: string;
  readonly properties: ReadonlyMap<string, Structural>;
  /** What members have that `properties` does not name. True or false where the schema only allows or forbids them: it gives no shape. */
  readonly additionalProperties: Structural | boolean | undefined;
  readonly items: Structural | undefined;
  readonly nullable: boolean;
  /** Undefined where there is none; null is none. */
  readonly defaultValue: unknown;
  readonly preserveUnknown: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  /** "" where the schema has none. */
  readonly listType: "" | "atomic" | "set" | "map";
  readonly listKeys: readonly string[];
  readonly mapType: "" | "atomic" | "granular";
  readonly required: ReadonlySet<string>;
  /** As written: validation reads the rest of it. */
  readonly source: JsonObject;
}

const maxDepth = 1_000;

/** What reading or checking one schema takes, without those inside it, in microseconds. */
export const schemaMicros = 5;

/** The same as `readStructural`, in steps. */
export const readStructuralInSteps = (schema: unknown): Steps<Structural> => read(schema, 0);

/** Reads `openAPIV3Schema`. Whether it is structural is checked by the validation of the CustomResourceDefinition; what makes no sense here is ignored. */
export const readStructural = (schema: unknown): Structural => runAtOnce(read(schema, 0));

function* read(schema: unknown, depth: number): Steps<Structural> {
  if (depth > maxDepth) throw new Error("the schema is nested too deeply");
  const source = isObject(schema) ? schema : {};
  const text = (name: string): string => {
    const value = getOwn<unknown>(source, name);
    return typeof value === "string" ? value : "";
  };
  const texts = (name: string): string[] => {
    const value = getOwn<unknown>(source, name);
    return isList(value) ? value.filter((item) => typeof item === "string") : [];
  };
  const flag = (name: string): boolean => getOwn<unknown>(source, name) === true;
  const properties = getOwn<unknown>(source, "properties");
  const additional = getOwn<unknown>(source, "additionalProperties");
  const items = getOwn<unknown>(source, "items");
  const named = new Map<string, Structural>();
  if (isObject(properties))
    for (const [name, inner] of ownEntries<unknown>(properties)) named.set(name, yield* read(inner, depth + 1));
  const others = isObject(additional) ? yield* read(additional, depth + 1) : undefined;
  const ofList = isObject(items) ? yield* read(items, depth + 1) : undefined;
  yield schemaMicros;
  return {
    type: text("type"),
    properties: named,
    additionalProperties: others ?? (typeof additional === "boolean" ? additional : undefined),
    items: ofList,
    nullable: flag("nullable"),
    defaultValue: getOwn<unknown>(source, "default") ?? undefined,
    preserveUnknown: flag("x-kubernetes-preserve-unknown-fields"),
    embeddedResource: flag("x-kubernetes-embedded-resource"),
    intOrString: flag("x-kubernetes-int-or-string"),
    listType: text("x-kubernetes-list-type") as Structural["listType"],
    listKeys: texts("x-kubernetes-list-map-keys"),
    mapType: text("x-kubernetes-map-type") as Structural["mapType"],
    required: new Set(texts("required")),
    source,
  };
}

/** The schema of a resource's root: it is an object with metadata of its own, whatever it declares. */
export const asResourceRoot = (schema: Structural): Structural =>
  schema.embeddedResource ? schema : { ...schema, embeddedResource: true };

/** Members that every object has; a resource's schema need not name them. */
export const metaMembers: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** The schema of a member; undefined where none gives it a shape. */
export function memberSchema(schema: Structural | undefined, name: string): Structural | undefined {
  const own = schema?.properties.get(name);
  if (own) return own;
  const rest = schema?.additionalProperties;
  return typeof rest === "object" ? rest : undefined;
}
