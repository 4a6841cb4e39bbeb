import { type FieldError, fieldPath, invalid, quoteGo } from "../field/index.js";

/** A revision, or the field error that upstream answers with. */
export type ParsedResourceVersion =
  | { readonly revision: number; readonly error?: never }
  | { readonly revision?: never; readonly error: FieldError };

const largest = 2n ** 64n - 1n;

/**
 * The revision that a resourceVersion asks for. Empty and "0" are zero, which means "any".
 * Upstream's revisions have 64 bits; one beyond 2^53 cannot exist here and is cut to the largest exact number, which is
 * in the future just the same.
 */
export function parseResourceVersion(text: string): ParsedResourceVersion {
  if (text === "" || text === "0") return { revision: 0 };
  const problem = (why: string): ParsedResourceVersion => ({
    error: invalid(fieldPath("resourceVersion"), text, `strconv.ParseUint: parsing ${quoteGo(text)}: ${why}`),
  });
  if (!/^[0-9]+$/.test(text)) return problem("invalid syntax");
  if (text.length <= 15) return { revision: Number(text) };
  const exact = BigInt(text);
  if (exact > largest) return problem("value out of range");
  return { revision: Math.min(Number(exact), Number.MAX_SAFE_INTEGER) };
}

/** A resourceVersion that no object can have. The message is upstream's. */
export class ResourceVersionError extends Error {
  constructor(text: string) {
    super(`resource version is not well formed: ${text}`);
    this.name = "ResourceVersionError";
  }
}

/**
 * Whether `a` is older (negative), the same (zero) or newer (positive) than `b`, of any length.
 * Only for versions of one resource.
 * @throws ResourceVersionError for what no object can have; zero is among it
 */
export function compareResourceVersions(a: string, b: string): number {
  for (const text of [a, b]) if (!/^[1-9][0-9]*$/.test(text)) throw new ResourceVersionError(text);
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
