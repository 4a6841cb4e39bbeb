import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { readInteger, readJson, readNumber, splitList } from "./marker-arguments.js";
import { type Marker, markerError } from "./read-doc.js";
import { addRule, countRule, readRule } from "./validation-rules.js";

type Apply = (schema: JSONSchemaProps, marker: Marker) => void;

const hasType =
  (types: readonly string[], apply: Apply): Apply =>
  (schema, marker) => {
    const isIntOrString =
      schema["x-kubernetes-int-or-string"] === true && (types.includes("string") || types.includes("integer"));
    if (!isIntOrString && !types.includes(schema.type ?? ""))
      throw markerError(marker, `stands on a value of type ${schema.type ?? "any"}, not on ${types.join(" or ")}`);
    apply(schema, marker);
  };
const numeric = (apply: Apply): Apply => hasType(["integer", "number"], apply);
const textual = (apply: Apply): Apply => hasType(["string"], apply);
const listed = (apply: Apply): Apply => hasType(["array"], apply);
const object = (apply: Apply): Apply => hasType(["object"], apply);

/** Every marker that changes the schema of the type or member it stands on. Names are JSON Schema's own where it has one. */
const schemaMarkers: Readonly<Record<string, Apply>> = {
  minimum: numeric((schema, marker) => (schema.minimum = readNumber(marker))),
  maximum: numeric((schema, marker) => (schema.maximum = readNumber(marker))),
  exclusiveMinimum: numeric((schema, marker) => {
    schema.minimum = readNumber(marker);
    schema.exclusiveMinimum = true;
  }),
  exclusiveMaximum: numeric((schema, marker) => {
    schema.maximum = readNumber(marker);
    schema.exclusiveMaximum = true;
  }),
  multipleOf: numeric((schema, marker) => (schema.multipleOf = readNumber(marker))),
  minLength: textual((schema, marker) => (schema.minLength = readInteger(marker))),
  maxLength: textual((schema, marker) => (schema.maxLength = readInteger(marker))),
  pattern: textual((schema, marker) => (schema.pattern = readPattern(marker))),
  minItems: listed((schema, marker) => (schema.minItems = readInteger(marker))),
  maxItems: listed((schema, marker) => (schema.maxItems = readInteger(marker))),
  uniqueItems: listed((schema, marker) => (schema.uniqueItems = readFlag(marker))),
  minProperties: object((schema, marker) => (schema.minProperties = readInteger(marker))),
  maxProperties: object((schema, marker) => (schema.maxProperties = readInteger(marker))),
  listType: listed((schema, marker) => {
    schema["x-kubernetes-list-type"] = oneOf(marker, ["atomic", "set", "map"]);
  }),
  listMapKey: listed((schema, marker) => {
    if (marker.text === "") throw markerError(marker, "names the member that identifies an item");
    schema["x-kubernetes-list-map-keys"] = [...(schema["x-kubernetes-list-map-keys"] ?? []), ...splitList(marker.text)];
  }),
  mapType: object((schema, marker) => {
    schema["x-kubernetes-map-type"] = oneOf(marker, ["atomic", "granular"]);
  }),
  structType: object((schema, marker) => {
    schema["x-kubernetes-map-type"] = oneOf(marker, ["atomic", "granular"]);
  }),
  enum: (schema, marker) => {
    schema.enum = (
      marker.text.startsWith("[") ? readJson(marker, false) : splitList(marker.text)
    ) as JSONSchemaProps["enum"] & {};
  },
  format: (schema, marker) => (schema.format = marker.text),
  title: (schema, marker) => (schema.title = marker.text),
  type: (schema, marker) => {
    schema.type = oneOf(marker, ["string", "integer", "number", "boolean", "array", "object"]);
    if (schema.type !== "integer" && schema.type !== "number") delete schema.format;
  },
  default: (schema, marker) =>
    (schema.default = readJson(marker, schema.type === "string") as JSONSchemaProps["default"] & {}),
  example: (schema, marker) =>
    (schema.example = readJson(marker, schema.type === "string") as JSONSchemaProps["example"] & {}),
  nullable: (schema, marker) => (schema.nullable = readFlag(marker)),
  int32: (schema) => integer(schema, "int32"),
  int64: (schema) => integer(schema, "int64"),
  integer: (schema) => integer(schema, undefined),
  intOrString: (schema) => {
    delete schema.type;
    delete schema.format;
    schema.anyOf = [{ type: "integer" }, { type: "string" }];
    schema["x-kubernetes-int-or-string"] = true;
  },
  preserveUnknownFields: (schema) => (schema["x-kubernetes-preserve-unknown-fields"] = true),
  embeddedResource: (schema) => {
    schema.type = "object";
    schema["x-kubernetes-embedded-resource"] = true;
    if (schema.properties === undefined) schema["x-kubernetes-preserve-unknown-fields"] = true;
  },
  cel: (schema, marker) => addRule(schema, readRule(marker)),
  immutable: (schema) => addRule(schema, { rule: "self == oldSelf", message: "field is immutable" }),
  atMostOneOf: object((schema, marker) => addRule(schema, countRule(marker, "at most"))),
  exactlyOneOf: object((schema, marker) => addRule(schema, countRule(marker, "exactly"))),
  atLeastOneOf: object((schema, marker) => addRule(schema, countRule(marker, "at least"))),
};

export const schemaMarkerNames: readonly string[] = Object.keys(schemaMarkers);

/** Markers that change what a schema is go first, those that limit it next, rules that count members in their order here, the default last. */
const first = new Set([
  "type",
  "int32",
  "int64",
  "integer",
  "intOrString",
  "preserveUnknownFields",
  "embeddedResource",
]);

const last = ["atMostOneOf", "exactlyOneOf", "atLeastOneOf", "default"];

/** Applies those of `markers` that concern a schema; `@items.…` goes to the items of a list. */
export function applyMarkers(schema: JSONSchemaProps, markers: readonly Marker[]): void {
  const rank = ({ name }: Marker): number => (first.has(name) ? 0 : 2 + last.indexOf(name));
  for (const marker of [...markers].sort((a, b) => rank(a) - rank(b))) {
    if (marker.name.startsWith("items.")) {
      if (schema.type !== "array" || schema.items === undefined || Array.isArray(schema.items))
        throw markerError(marker, "stands on a value that is no list");
      applyMarkers(schema.items, [{ ...marker, name: marker.name.slice("items.".length) }]);
    } else if (Object.hasOwn(schemaMarkers, marker.name)) schemaMarkers[marker.name]!(schema, marker);
  }
}

function integer(schema: JSONSchemaProps, format: string | undefined): void {
  schema.type = "integer";
  if (format === undefined) delete schema.format;
  else schema.format = format;
}

function oneOf(marker: Marker, allowed: readonly string[]): string {
  if (!allowed.includes(marker.text)) throw markerError(marker, `"${marker.text}" is none of ${allowed.join(", ")}`);
  return marker.text;
}

function readFlag(marker: Marker): boolean {
  return marker.text === "" || oneOf(marker, ["true", "false"]) === "true";
}

/** As it is, or between slashes or backquotes, as people write expressions. */
function readPattern(marker: Marker): string {
  const quoted = /^(?:\/(.*)\/|`(.*)`)$/s.exec(marker.text);
  const pattern = quoted?.[1] ?? quoted?.[2] ?? marker.text;
  if (pattern === "") throw markerError(marker, "needs an expression");
  return pattern;
}
