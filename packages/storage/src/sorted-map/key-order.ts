/**
 * Keys sort by their UTF-8 bytes, as etcd and Kubernetes sort them. JavaScript compares UTF-16 code units, which differs
 * only where one side has a surrogate (a character beyond U+FFFF) and the other a unit from U+E000 to U+FFFF.
 */
const firstSurrogate = 0xd800;
const firstAfterSurrogates = 0xe000;
const highUnit = /[\ud800-\uffff]/;

/** Whether this key can sort otherwise than by `<`. Keys without such units can always be compared by `<`, with any other key. */
export const needsExactOrder = (key: string): boolean => highUnit.test(key);

/** Negative, zero or positive, by UTF-8 bytes. A lone surrogate sorts as if it were part of a pair. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x >= firstSurrogate && y >= firstSurrogate ? rotate(x) - rotate(y) : x - y;
  }
  return a.length - b.length;
}

/** Moves the surrogates behind every other unit. */
const rotate = (unit: number): number => (unit >= firstAfterSurrogates ? unit - 0x800 : unit + 0x2000);

/** `exact`: one of the keys may need more than `<`. */
export const keyIsBefore = (a: string, b: string, exact: boolean): boolean => (exact ? compareKeys(a, b) < 0 : a < b);
