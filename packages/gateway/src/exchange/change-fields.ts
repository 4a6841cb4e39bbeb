import { type Field, fieldOf } from "@coxswain/wire/http1";
import type { HeaderChanges } from "../objects/gateway-objects.js";

/**
 * Removes, then sets, then adds (HTTPHeaderFilter), one filter after the other. Names are compared without their case. A line that cannot be
 * sent is left out: the definitions allow line ends in values, and what follows one would be a header that nobody wrote.
 */
export function changeFields(fields: readonly Field[], changes: readonly HeaderChanges[]): readonly Field[] {
  let changed = fields;
  for (const { set = [], add = [], remove = [] } of changes) {
    const gone = new Set([...remove, ...set.map(({ name }) => name)].map((name) => name.toLowerCase()));
    const added = [...set, ...add].flatMap(({ name, value }) => sendable(name, value));
    changed = [...changed.filter(({ lower }) => !gone.has(lower)), ...added];
  }
  return changed;
}

function sendable(name: string, value: string): Field[] {
  try {
    return [fieldOf(name, value)];
  } catch {
    return [];
  }
}
