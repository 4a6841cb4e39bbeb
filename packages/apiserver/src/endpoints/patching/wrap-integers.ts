import { ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";

/**
 * Cuts integers to the 32 bits of their members, as upstream's converter of untyped objects does without a word (k8s.io/apimachinery/pkg/runtime/converter.go, fromUnstructured): 3000000000
 * becomes -1294967296. Only a strategic merge patch goes through it; the JSON decoder refuses such a number. Changes the value in place.
 */
export function wrapIntegers(value: unknown, node: SchemaNode): unknown {
  if (typeof value === "bigint" || typeof value === "number")
    return Number.isInteger(Number(value)) ? wrapped(value, node) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    if (node.code === typeCodes.list && node.element)
      for (const [at, item] of value.entries()) value[at] = wrapIntegers(item, node.element);
    return value;
  }
  for (const [name, member] of ownEntries<unknown>(value as Record<string, unknown>)) {
    const inner = node.code === typeCodes.struct ? node.byName.get(name)?.type : node.element;
    if (inner) setOwn(value as Record<string, unknown>, name, wrapIntegers(member, inner));
  }
  return value;
}

const wrapped = (value: number | bigint, { code }: SchemaNode): number | bigint =>
  code === typeCodes.int32 ? Number(BigInt.asIntN(32, BigInt(value))) : value;
