import type { Structural } from "./structural.js";

/** Whether a schema, or one inside it, has something; found out once for each schema. Most have neither sets nor embedded resources. */
function schemaHas(isIt: (schema: Structural) => boolean): (schema: Structural) => boolean {
  const known = new WeakMap<Structural, boolean>();
  const find = (schema: Structural): boolean => {
    let found = known.get(schema);
    if (found === undefined) known.set(schema, (found = isIt(schema) || insideOf(schema).some(find)));
    return found;
  };
  return find;
}

const insideOf = ({ properties, additionalProperties, items }: Structural): Structural[] => [
  ...properties.values(),
  ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ...(items ? [items] : []),
];

export const hasEmbedded = schemaHas(({ embeddedResource }) => embeddedResource);
/** Lists whose items may not be there twice. */
export const hasUniqueItems = schemaHas(({ listType }) => listType === "set" || listType === "map");
