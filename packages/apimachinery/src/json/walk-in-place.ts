import { setOwn } from "../own/index.js";
import { canonicalQuantity } from "../quantity/index.js";
import { typeCodes } from "../schema/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { canonicalDuration, canonicalMicroTime, canonicalTime } from "../time/index.js";
import { canonicalBase64 } from "./canonical-base64.js";
import { givenEmptyOf, noteGivenEmpty } from "./given-empty.js";
import { isJsonObject } from "./json-object.js";
import { type FieldPlan, type Plan, planStruct } from "./plan.js";

/**
 * Thrown when a value does not fit its type, or fits it in a way the quick walk does not know.
 * It has no message: the slow decoder finds that. One instance, because its stack is never read.
 */
export const misfit = new Error("the value does not fit its type");

/** What a walk has met; compared with the scan of the bytes. */
export interface WalkCount {
  members: number;
  /** Numbers that are no integers, at places where they may stand. */
  fractions: number;
  /** Members that no field names. They have been dropped. */
  unknown: number;
}

type JsonObject = Record<string, unknown>;

let members = 0;
let fractions = 0;
let unknown = 0;

/**
 * Makes a value canonical, reusing its objects: the value must belong to the caller.
 * Throws `misfit`; the value is then half changed and to be thrown away.
 */
export function walkInPlace(value: unknown, plan: Plan): { object: unknown; count: WalkCount } {
  members = 0;
  fractions = 0;
  unknown = 0;
  const object = value === null ? zeroOf(plan) : walkValue(value, plan);
  return { object, count: { members, fractions, unknown } };
}

function walkValue(value: unknown, plan: Plan): unknown {
  switch (plan.code) {
    case typeCodes.string:
      if (typeof value !== "string") throw misfit;
      return value;
    case typeCodes.bool:
      if (typeof value !== "boolean") throw misfit;
      return value;
    case typeCodes.int32:
      if (typeof value !== "number" || (value | 0) !== value) throw misfit;
      return value;
    case typeCodes.uint32:
      if (typeof value !== "number" || value >>> 0 !== value) throw misfit;
      return value;
    case typeCodes.int64:
      return walkInt64(value);
    case typeCodes.float64:
      if (typeof value === "bigint") return Number(value);
      return walkNumber(value);
    case typeCodes.struct:
      if (!isJsonObject(value)) throw misfit;
      return walkStruct(value, plan);
    case typeCodes.list:
      if (!Array.isArray(value)) throw misfit;
      return walkList(value, plan);
    case typeCodes.map:
      if (!isJsonObject(value)) throw misfit;
      return walkMap(value, plan);
    case typeCodes.json:
      return walkJson(value);
    case typeCodes.rawExtension:
    case typeCodes.fieldsV1:
      countAny(value);
      return value;
    case typeCodes.wrappedStringList:
      return walkStrings(value);
    default:
      return typeof value === "string" ? walkText(value, plan) : walkOdd(value, plan);
  }
}

/** The types whose usual form is text. */
function walkText(value: string, plan: Plan): unknown {
  const canonical = canonicalText(value, plan);
  if (canonical === undefined) throw misfit;
  return canonical;
}

function canonicalText(value: string, plan: Plan): string | null | undefined {
  switch (plan.code) {
    case typeCodes.quantity:
      return canonicalQuantity(value.trim());
    case typeCodes.time:
      return canonicalTime(value);
    case typeCodes.microTime:
      return canonicalMicroTime(value);
    case typeCodes.duration:
      return canonicalDuration(value);
    case typeCodes.bytes:
      return canonicalBase64(value);
    case typeCodes.intOrString:
      return value;
    case typeCodes.schemaOrArray:
    case typeCodes.schemaOrStringArray:
      return null; // Go reads a text there as nothing at all
    default:
      return undefined;
  }
}

function walkOdd(value: unknown, plan: Plan): unknown {
  const { code, element } = plan;
  if (typeof value === "number") {
    if (code === typeCodes.intOrString && (value | 0) === value) return value;
    // Go takes a quantity from the number's own letters, which only an integer still shows here.
    const canonical =
      code === typeCodes.quantity && Number.isInteger(value) ? canonicalQuantity(String(value)) : undefined;
    if (canonical === undefined) throw misfit;
    return canonical;
  }
  if (code === typeCodes.schemaOrBool && typeof value === "boolean") return value;
  if (element && isJsonObject(value) && isUnion(plan)) return walkStruct(value, element);
  if (Array.isArray(value) && code === typeCodes.schemaOrStringArray)
    return value.length === 0 ? null : walkStrings(value);
  if (Array.isArray(value) && element && code === typeCodes.schemaOrArray) {
    if (value.length === 0) return null;
    for (let at = 0; at < value.length; at++) value[at] = walkValue(value[at] ?? {}, element);
    return value;
  }
  throw misfit;
}

const isUnion = (plan: Plan): boolean =>
  plan.code >= typeCodes.schemaOrBool && plan.code <= typeCodes.schemaOrStringArray;

function walkInt64(value: unknown): unknown {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  if (typeof value !== "bigint" || BigInt.asIntN(64, value) !== value) throw misfit;
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

function walkNumber(value: unknown): unknown {
  if (typeof value !== "number" || !Number.isFinite(value)) throw misfit;
  if (!Number.isInteger(value)) fractions++;
  return value;
}

function walkList(list: unknown[], plan: Plan): unknown {
  const element = plan.element as Plan;
  for (let at = 0; at < list.length; at++) {
    const value = list[at];
    if (value !== null && value !== undefined) {
      const canonical = walkValue(value, element);
      if (canonical !== value) list[at] = canonical;
    } else {
      list[at] = plan.elementPointer ? null : zeroOf(element);
    }
  }
  return list;
}

function walkStrings(value: unknown): unknown {
  if (!Array.isArray(value)) throw misfit;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === null) value[at] = "";
    else if (typeof value[at] !== "string") throw misfit;
  }
  return value;
}

function walkMap(map: JsonObject, plan: Plan): JsonObject {
  const element = plan.element as Plan;
  let sorted = true;
  let before = "";
  for (const key in map) {
    members++;
    if (sorted && compareUtf8(before, key) > 0) sorted = false;
    before = key;
    const value = map[key];
    if (value !== null && value !== undefined) {
      const canonical = walkValue(value, element);
      if (canonical !== value) setOwn(map, key, canonical);
    } else if (value === null) {
      if (!plan.elementPointer) setOwn(map, key, zeroOf(element));
    }
  }
  return sorted ? map : sortMembers(map);
}

export function sortMembers(map: JsonObject): JsonObject {
  const sorted: JsonObject = {};
  for (const key of Object.keys(map).sort(compareUtf8)) setOwn(sorted, key, map[key]);
  return sorted;
}

function walkStruct(input: JsonObject, plan: Plan): JsonObject {
  if (!plan.ready) planStruct(plan);
  let last = -1;
  let always = 0;
  let rebuild = false;
  let empty: string[] | undefined;
  for (const key in input) {
    const field = plan.byName.get(key);
    const value = input[key];
    members++;
    if (field === undefined) {
      rebuild = true;
      if (plan.open) setOwn(input, key, value === null ? null : walkJson(value));
      else {
        unknown++;
        countAny(value);
      }
      continue;
    }
    if (field.index < last) rebuild = true;
    last = field.index;
    const canonical = value === null || value === undefined ? absent(field) : present(value, field);
    if (canonical !== value) setOwn(input, key, canonical);
    if (canonical === undefined) {
      rebuild = true;
      if (
        typeof value === "object" &&
        value !== null &&
        (field.plan.code === typeCodes.list || field.plan.code === typeCodes.map)
      )
        (empty ??= []).push(key);
    } else if (!field.drop) always++;
  }
  if (!rebuild && always === plan.always) return input;
  const before = givenEmptyOf(input);
  const output = plan.open ? rebuildOpen(input, plan) : rebuildStruct(input, plan);
  if (empty !== undefined || before !== undefined) noteGivenEmpty(output, [...(before ?? []), ...(empty ?? [])]);
  return output;
}

/** What stands for a member that is not there; undefined: nothing. */
export function absent(field: FieldPlan): unknown {
  if (field.drop) return undefined;
  return field.pointer ? null : zeroOf(field.plan);
}

/** Go would write null for a pointer to a zero time, and leave it out the next time; here it is left out at once. */
function present(value: unknown, field: FieldPlan): unknown {
  const canonical = walkValue(value, field.plan);
  return field.drop && (field.pointer ? canonical === null : isZero(canonical, field.plan)) ? undefined : canonical;
}

const hasOwn = Object.prototype.hasOwnProperty;

/** `input` holds canonical values already, undefined where a member is dropped. */
function rebuildStruct(input: JsonObject, plan: Plan): JsonObject {
  const output: JsonObject = {};
  for (const field of plan.fields) {
    const value = hasOwn.call(input, field.name) ? input[field.name] : absent(field);
    if (value !== undefined) setOwn(output, field.name, value);
  }
  return output;
}

function rebuildOpen(input: JsonObject, plan: Plan): JsonObject {
  for (const field of plan.fields) {
    if (!field.drop && !hasOwn.call(input, field.name)) setOwn(input, field.name, absent(field));
  }
  const output: JsonObject = {};
  for (const key of Object.keys(input).sort(compareUtf8)) {
    if (input[key] !== undefined) setOwn(output, key, input[key]);
  }
  return output;
}

/** The zero value as Go writes it where it writes it. */
export function zeroOf(plan: Plan): unknown {
  switch (plan.code) {
    case typeCodes.string:
      return "";
    case typeCodes.bool:
      return false;
    case typeCodes.int32:
    case typeCodes.int64:
    case typeCodes.uint32:
    case typeCodes.float64:
    case typeCodes.intOrString:
      return 0;
    case typeCodes.quantity:
      return "0";
    case typeCodes.duration:
      return "0s";
    case typeCodes.schemaOrBool:
      return false;
    case typeCodes.struct:
      return walkStruct({}, plan);
    default:
      return null;
  }
}

export function isZero(value: unknown, plan: Plan): boolean {
  if (value === null) return true;
  switch (plan.code) {
    case typeCodes.list:
    case typeCodes.wrappedStringList:
      return (value as unknown[]).length === 0;
    case typeCodes.map:
      for (const _ in value as object) return false;
      return true;
    case typeCodes.quantity:
      return value === "0";
    case typeCodes.duration:
      return value === "0s";
    case typeCodes.struct:
      return plan.fields.every((field) => {
        const member = (value as JsonObject)[field.name];
        return member === undefined || member === null || (!field.pointer && isZero(member, field.plan));
      });
    default:
      return value === "" || value === false || value === 0;
  }
}

/** Any JSON: members in order of their names, as Go writes a map. */
function walkJson(value: unknown): unknown {
  if (typeof value === "number") return walkNumber(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const canonical = walkJson(value[at]);
      if (canonical !== value[at]) value[at] = canonical;
    }
    return value;
  }
  const map = value as JsonObject;
  let sorted = true;
  let before = "";
  for (const key in map) {
    members++;
    if (sorted && compareUtf8(before, key) > 0) sorted = false;
    before = key;
    const canonical = walkJson(map[key]);
    if (canonical !== map[key]) setOwn(map, key, canonical);
  }
  return sorted ? map : sortMembers(map);
}

/** Counts what is kept as it came, or dropped as unknown. */
function countAny(value: unknown): void {
  if (typeof value === "number") {
    if (!Number.isInteger(value)) fractions++;
  } else if (Array.isArray(value)) {
    for (const item of value) countAny(item);
  } else if (typeof value === "object" && value !== null) {
    for (const key in value) {
      members++;
      countAny((value as JsonObject)[key]);
    }
  }
}
