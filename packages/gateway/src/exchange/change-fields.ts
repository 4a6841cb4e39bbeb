import { type Field, fieldOf } from "@coxswain/wire/http1";
import type { HeaderChanges } from "../objects/gateway-objects.js";

/** Removes, then sets, then adds (HTTPHeaderFilter), one filter after the other. Names are compared without their case. */
export function changeFields(fields: readonly Field[], changes: readonly HeaderChanges[]): readonly Field[] {
  let changed = fields;
  for (const { set = [], add = [], remove = [] } of changes) {
    const gone = new Set([...remove, ...set.map(({ name }) => name)].map((name) => name.toLowerCase()));
    const added = [...set, ...add].map(({ name, value }) => fieldOf(name, value));
    changed = [...changed.filter(({ lower }) => !gone.has(lower)), ...added];
  }
  return changed;
}
