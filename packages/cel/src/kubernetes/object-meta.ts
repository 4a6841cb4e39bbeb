import { readStructural, type Structural } from "@coxswain/apimachinery/structural-schema";

const text = readStructural({ type: "string" });
const metadata = readStructural({
  type: "object",
  properties: { name: { type: "string" }, generateName: { type: "string" } },
});

const isComplete = ({ properties }: Structural): boolean => {
  const own = properties.get("metadata");
  return (
    properties.get("kind")?.type === "string" &&
    properties.get("apiVersion")?.type === "string" &&
    own?.type === "object" &&
    own.properties.get("name")?.type === "string" &&
    own.properties.get("generateName")?.type === "string"
  );
};

const completed = new WeakMap<Structural, Structural>();

/**
 * The schema of a resource with apiVersion, kind, metadata.name and metadata.generateName, which expressions can always
 * see. A schema's own `metadata` is replaced unless it has both names.
 */
export function withTypeAndObjectMeta(schema: Structural): Structural {
  if (isComplete(schema)) return schema;
  const known = completed.get(schema);
  if (known !== undefined) return known;
  const properties = new Map([
    ...schema.properties,
    ["kind", text],
    ["apiVersion", text],
    ["metadata", metadata],
  ] as const);
  const result = { ...schema, properties };
  completed.set(schema, result);
  return result;
}
