/** As much of a structural schema as is looked at here. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
}

/** What patterns of projects ask for most. */
const texts = [
  "a",
  "a.example.org",
  "1m",
  "1h",
  "http://a.example.org",
  "https://a.example.org",
  "v1",
  "10.0.0.0/8",
  "10.0.0.1",
  "1Gi",
  "a/b",
  "A",
  "2026-01-01T00:00:00Z",
  "oci://a.example.org/b",
  "* * * * *",
  "1.0.0",
];

/** Pure: a small value that a schema takes, as far as its rules are simple; the server decides. */
export function makeObject(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema["x-kubernetes-int-or-string"]) return 1;
  switch (schema.type) {
    case "object":
      return membersOf(schema);
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => makeObject(schema.items ?? {}));
    case "string":
      return textOf(schema);
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1);
    case "boolean":
      return true;
    default:
      return {};
  }
}

function membersOf(schema: Schema): Record<string, unknown> {
  const chosen = [schema, ...(schema.oneOf ?? []).slice(0, 1), ...(schema.anyOf ?? []).slice(0, 1)];
  const names = new Set(chosen.flatMap(({ required = [] }) => required));
  const members = [...names].map((name) => [name, makeObject(schema.properties?.[name] ?? {})] as const);
  return Object.fromEntries(members);
}

function textOf({ format, pattern, minLength = 0 }: Schema): string {
  if (format === "date-time") return "2026-01-01T00:00:00Z";
  const matches = pattern === undefined ? () => true : (text: string) => new RegExp(pattern).test(text);
  const found = texts.map((text) => text.padEnd(minLength, "a")).find(matches);
  return found ?? "a".repeat(Math.max(1, minLength));
}

/** Pure: the object with one member that its schema refuses: of another type, or a label that is none where the schema takes anything. */
export function makeInvalid(object: Readonly<Record<string, unknown>>, schema: Schema): Record<string, unknown> {
  for (const [top, { type, properties = {} }] of Object.entries(schema.properties ?? {})) {
    if (type !== "object" || top === "metadata" || top === "status") continue;
    for (const [name, member] of Object.entries(properties)) {
      const wrong = wrongFor(member);
      if (wrong === undefined) continue;
      return { ...object, [top]: { ...(object[top] as object | undefined), [name]: wrong } };
    }
  }
  return { ...object, metadata: { ...(object["metadata"] as object), labels: { console: "not a label" } } };
}

function wrongFor(schema: Schema): unknown {
  if (schema["x-kubernetes-int-or-string"] || schema["x-kubernetes-preserve-unknown-fields"]) return undefined;
  if (schema.type === "string") return 7;
  return schema.type === undefined ? undefined : "text";
}
