import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { scalarSchemas } from "@coxswain/schema-types";
import { docComment } from "./doc-comment.js";
import { memberName, type TypeNames } from "./type-names.js";

export interface TypeWriter {
  /** The type of a schema, as it is written where it is used; interfaces that it needs are added to the module under a name like `path`. */
  typeOf(schema: JSONSchemaProps | undefined, path: string): string;
  /** Interfaces in the order in which they were needed. */
  declarations(): string[];
  /** Names that the module imports. */
  readonly imports: Set<string>;
}

const quantityPattern = scalarSchemas["Quantity"]!.pattern;
const texts: Readonly<Record<string, string>> = { "date-time": "Time", byte: "Base64" };
const integers: Readonly<Record<string, string>> = { int32: "Int32", int64: "Int64" };

/**
 * Writes TypeScript types for schemas. It never fails: what it cannot express is `unknown`, or wider than the schema. Schemas
 * that are equal share an interface, so that a pod template that stands ten times in a definition is written once.
 */
export const createTypeWriter = (names: TypeNames): TypeWriter => new SchemaTypeWriter(names);

class SchemaTypeWriter implements TypeWriter {
  readonly #names: TypeNames;
  readonly #written: string[] = [];
  readonly #bySchema = new Map<string, string>();
  readonly imports = new Set<string>();

  constructor(names: TypeNames) {
    this.#names = names;
  }

  declarations(): string[] {
    return this.#written;
  }

  typeOf(schema: JSONSchemaProps | undefined, path: string): string {
    if (schema === undefined) return "unknown";
    const type = this.#bareType(schema, path);
    return schema.nullable === true && type !== "unknown" ? `${type} | null` : type;
  }

  #bareType(schema: JSONSchemaProps, path: string): string {
    if (schema["x-kubernetes-int-or-string"] === true)
      return schema.pattern === quantityPattern ? `${this.#use("Quantity")} | number` : this.#use("IntOrString");
    if (schema.enum !== undefined && schema.enum.length > 0 && schema.enum.every(isLiteral))
      return [...new Set(schema.enum.map((value) => JSON.stringify(value)))].join(" | ");
    if (schema["x-kubernetes-embedded-resource"] === true && schema.properties === undefined)
      return this.#use("EmbeddedResource");
    switch (schema.type) {
      case "string":
        return Object.hasOwn(texts, schema.format ?? "") ? this.#use(texts[schema.format!]!) : "string";
      case "boolean":
        return "boolean";
      case "integer":
        return this.#use(integers[schema.format ?? ""] ?? "Integer");
      case "number":
        return "number";
      case "array":
        return listOf(Array.isArray(schema.items) ? "unknown" : this.typeOf(schema.items, `${path}Item`));
      case "object":
        return this.#objectType(schema, path);
      default:
        return schema.properties === undefined ? "unknown" : this.#objectType(schema, path);
    }
  }

  #objectType(schema: JSONSchemaProps, path: string): string {
    if (schema.properties === undefined) {
      const { additionalProperties: values } = schema;
      if (typeof values === "object") return `Record<string, ${this.typeOf(values, `${path}Value`)}>`;
      if (values === true || schema["x-kubernetes-preserve-unknown-fields"] === true) return this.#use("RawExtension");
      // An object without members: everything in it is pruned.
      return this.#declare({ ...schema, properties: {} }, path);
    }
    return this.#declare(schema, path);
  }

  #declare(schema: JSONSchemaProps, path: string): string {
    // Words and the use of the type stand on the member; what is left makes types equal.
    const { description: _description, nullable: _nullable, default: _default, ...shape } = schema;
    const key = JSON.stringify(shape);
    const known = this.#bySchema.get(key);
    if (known !== undefined) return known;
    const name = this.#names.claim(path);
    this.#bySchema.set(key, name);
    const at = this.#written.push("") - 1; // its place is before those of its members
    this.#written[at] = this.#interfaceText(name, schema, path);
    return name;
  }

  #interfaceText(name: string, schema: JSONSchemaProps, path: string): string {
    const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
    const open = isOpen ? "  [name: string]: unknown;\n" : "";
    const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
    const heritage = isEmbedded ? ` extends ${this.#use("KubernetesObject")}` : "";
    const body = this.#membersText(schema, path, isEmbedded ? ["apiVersion", "kind", "metadata"] : []) + open;
    return `export interface ${name}${heritage} {\n${body}}\n`;
  }

  #membersText(schema: JSONSchemaProps, path: string, leftOut: readonly string[]): string {
    return Object.entries(schema.properties ?? {})
      .filter(([name]) => !leftOut.includes(name))
      .map(([name, property]) => {
        const type = this.typeOf(property, `${path}-${name}`);
        const isRequired = schema.required?.includes(name) === true;
        // Who writes an object may leave out what has a default; the server fills it in.
        const isOptional = !isRequired || property.default !== undefined;
        const doc = docComment(property, "  ", isRequired && isOptional ? ["@required"] : []);
        return `${doc}  ${memberName(name)}${isOptional ? "?" : ""}: ${type};\n`;
      })
      .join("");
  }

  #use(name: string): string {
    this.imports.add(name);
    return name;
  }
}

const isLiteral = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value) || value === null;

const listOf = (element: string): string =>
  /[| ]/.test(element) && !element.startsWith("Record<") ? `(${element})[]` : `${element}[]`;
