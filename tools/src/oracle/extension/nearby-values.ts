import type { Json, JsonObject } from "../../record/index.js";

/** Values that differ a little: items added, dropped, moved, changed; members added, dropped, changed. The value itself is among them. */
export function nearbyValues(value: Json): Json[] {
  if (Array.isArray(value)) return [value, ...nearbyLists(value)];
  if (typeof value === "object" && value !== null) return [value, ...nearbyObjects(value as JsonObject)];
  if (typeof value === "string") return [value, `${value}x`, value.slice(1)];
  if (typeof value === "number") return [value, value + 1, -value];
  return [value, null];
}

const nearbyLists = (list: readonly Json[]): Json[] => [
  [...list].reverse(),
  list.slice(1),
  list.length > 0 ? [...list, list[0] as Json] : ["new"],
  ...list.flatMap((item, at) =>
    nearbyValues(item)
      .slice(1)
      .map((near) => list.with(at, near)),
  ),
];

function nearbyObjects(object: JsonObject): Json[] {
  const names = Object.keys(object);
  const [first] = names;
  return [
    { ...object, added: first === undefined ? "new" : (object[first] as Json) },
    Object.fromEntries(names.slice(1).map((name) => [name, object[name] as Json])),
    ...names.flatMap((name) =>
      nearbyValues(object[name] as Json)
        .slice(1)
        .map((near) => ({ ...object, [name]: near })),
    ),
  ];
}
