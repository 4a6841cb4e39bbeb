import { isList, isObject } from "./json-value.js";
import { maxPatchDepth } from "./patch-depth.js";

/**
 * Bytes of a value as Go writes it in JSON (with <, > and & escaped), or undefined if it is nested too deeply.
 * `visit` is called for each container.
 */
export function jsonSize(value: unknown, visit: (container: object) => void, depth = 0): number | undefined {
  if (depth > maxPatchDepth) return undefined;
  if (typeof value === "string") return stringSize(value);
  if (isList(value)) {
    visit(value);
    let size = 1 + Math.max(value.length, 1);
    for (const item of value) {
      const inner = jsonSize(item, visit, depth + 1);
      if (inner === undefined) return undefined;
      size += inner;
    }
    return size;
  }
  if (isObject(value)) {
    visit(value);
    const keys = Object.keys(value);
    let size = 1 + Math.max(keys.length, 1);
    for (const key of keys) {
      const inner = jsonSize(value[key], visit, depth + 1);
      if (inner === undefined) return undefined;
      size += stringSize(key) + 1 + inner;
    }
    return size;
  }
  return value === undefined ? 4 : String(value).length;
}

function stringSize(text: string): number {
  let size = 2;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22 || unit === 0x5c || (unit >= 8 && unit <= 13 && unit !== 11)) size += 2;
    else if (unit < 0x20 || unit === 0x3c || unit === 0x3e || unit === 0x26 || unit === 0x2028 || unit === 0x2029)
      size += 6;
    else if (unit < 0x80) size += 1;
    else if (unit < 0x800) size += 2;
    else if (unit >= 0xd800 && unit < 0xdc00) {
      size += 4;
      index++;
    } else size += 3;
  }
  return size;
}
