const digits = /^[+-]?[0-9]+$/;
const least = -(2n ** 63n);
const greatest = 2n ** 63n - 1n;

/** What Go's ParseInt(text, 10, 64) accepts; a bigint only where a number would not be exact. Undefined otherwise. */
export function parseInt64(text: string): number | bigint | undefined {
  if (!digits.test(text)) return undefined;
  if (text.length <= 15) return Number(text);
  const exact = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return exact < least || exact > greatest ? undefined : exact;
}
