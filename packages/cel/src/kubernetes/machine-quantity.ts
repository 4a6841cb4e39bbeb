const grammar = /^[+-]?0*([0-9]*)(?:\.([0-9]*))?(?:([KMGTPE])i)?/;

/** Digits that upstream trusts an int64 with. */
const mostDigits = { decimal: 18, binary: 15 };

/**
 * Whether upstream keeps a quantity of that text as an int64 with a scale, rather than as a number of any size: it guesses by
 * the digits, so that `1Ei` is no integer to it though it would fit.
 */
export function isMachineQuantity(text: string): boolean {
  const [, whole = "", fraction = "", binary] = grammar.exec(text) ?? [];
  const digits = whole.length || 1;
  if (binary === undefined) return digits + fraction.length <= mostDigits.decimal;
  // A power of 2^10 counts for three.
  return fraction === "" && digits + 3 * ("KMGTPE".indexOf(binary) + 1) + 1 <= mostDigits.binary;
}
