const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/** The order in which go-yaml writes keys: letters after everything else, and numbers inside of names by their value ("a9" before "a10"). */
export function compareKeys(a: string, b: string): number {
  const first = firstDifference(a, b);
  if (isPlainLetter(a.charCodeAt(first)) && isPlainLetter(b.charCodeAt(first)))
    return a.charCodeAt(first) - b.charCodeAt(first);
  return compareSlowly(a, b);
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

const isPlainLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);

function compareSlowly(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const one = left[at] as string;
    const other = right[at] as string;
    if (one === other) continue;
    const oneIsLetter = letter.test(one);
    const otherIsLetter = letter.test(other);
    if (oneIsLetter && otherIsLetter) return codeOf(one) - codeOf(other);
    if (oneIsLetter || otherIsLetter) return otherIsLetter ? -1 : 1;
    return compareNumbers(left, right, at) || codeOf(one) - codeOf(other);
  }
  return left.length - right.length;
}

/** Compares the numbers that begin where the texts differ; 0 if they do not decide. Leading zeros count only after other digits. */
function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  let before = 0n;
  if (left[at] === "0" || right[at] === "0") {
    for (let back = at - 1; back >= 0 && digit.test(left[back] as string); back--) {
      if (left[back] !== "0") {
        before = 1n;
        break;
      }
    }
  }
  const one = numberAt(left, at, before);
  const other = numberAt(right, at, before);
  if (one.value !== other.value) return one.value < other.value ? -1 : 1;
  return one.end - other.end;
}

function numberAt(text: readonly string[], at: number, before: bigint): { value: bigint; end: number } {
  let value = before;
  let end = at;
  while (end < text.length && digit.test(text[end] as string))
    value = BigInt.asIntN(64, value * 10n + BigInt(codeOf(text[end++] as string) - 0x30));
  return { value, end };
}

const codeOf = (char: string): number => char.codePointAt(0) as number;
