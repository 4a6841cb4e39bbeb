import { getOwn, setOwn } from "../own/index.js";
import { isList, isObject } from "../patch/json-value.js";
import { compareUtf8 } from "../text/utf8-order.js";

/** The same value with members sorted, as Go keeps maps: what it quotes, and which fault it finds first, follow from that. */
export function sortedMembers(value: unknown): unknown {
  if (isList(value)) return value.map(sortedMembers);
  if (!isObject(value)) return value;
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort(compareUtf8))
    setOwn(out, name, sortedMembers(getOwn<unknown>(value, name)));
  return out;
}
