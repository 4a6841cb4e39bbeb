import { type RandomSource, randomInt } from "@coxswain/runtime/random";

export interface MutateOptions {
  readonly random: RandomSource;
  /** Other inputs, to take pieces from. */
  readonly others: readonly Uint8Array[];
  readonly words: readonly Uint8Array[];
  readonly maxLength: number;
}

const oddBytes = [
  0, 1, 9, 10, 13, 32, 34, 39, 44, 45, 46, 47, 48, 57, 58, 61, 91, 92, 93, 123, 125, 127, 128, 192, 255,
];

const join = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

type Mutation = (input: Uint8Array, options: MutateOptions) => Uint8Array;

/** A stretch of the input, most often a short one. */
function stretch(input: Uint8Array, random: RandomSource): { start: number; end: number } {
  const start = randomInt(input.length + 1, random);
  const longest = input.length - start;
  const length = random.next() < 0.8 ? randomInt(Math.min(longest, 16) + 1, random) : randomInt(longest + 1, random);
  return { start, end: start + length };
}

const insertAt = (input: Uint8Array, at: number, piece: Uint8Array): Uint8Array =>
  join(input.subarray(0, at), piece, input.subarray(at));

const pick = <T>(items: readonly T[], random: RandomSource): T => items[randomInt(items.length, random)] as T;

const mutations: readonly Mutation[] = [
  function flipBit(input, { random }) {
    const copy = Uint8Array.from(input);
    const at = randomInt(copy.length, random);
    copy[at] = (copy[at] as number) ^ (1 << randomInt(8, random));
    return copy;
  },
  function setByte(input, { random }) {
    const copy = Uint8Array.from(input);
    copy[randomInt(copy.length, random)] = random.next() < 0.5 ? pick(oddBytes, random) : randomInt(256, random);
    return copy;
  },
  function addToByte(input, { random }) {
    const copy = Uint8Array.from(input);
    const at = randomInt(copy.length, random);
    copy[at] = (copy[at] as number) + randomInt(9, random) - 4;
    return copy;
  },
  function insertBytes(input, { random }) {
    const piece = Uint8Array.from({ length: 1 + randomInt(4, random) }, () => pick(oddBytes, random));
    return insertAt(input, randomInt(input.length + 1, random), piece);
  },
  function insertWord(input, { random, words }) {
    if (words.length === 0) return input;
    const { start, end } = stretch(input, random);
    const word = pick(words, random);
    return random.next() < 0.5
      ? insertAt(input, start, word)
      : join(input.subarray(0, start), word, input.subarray(end));
  },
  function remove(input, { random }) {
    const { start, end } = stretch(input, random);
    return join(input.subarray(0, start), input.subarray(end));
  },
  function repeat(input, { random, maxLength }) {
    const { start, end } = stretch(input, random);
    const most = Math.max(1, Math.floor((maxLength - input.length) / Math.max(1, end - start)));
    const times = 1 + randomInt(Math.min(most, random.next() < 0.9 ? 8 : 512), random);
    return insertAt(input, start, join(...Array.from({ length: times }, () => input.subarray(start, end))));
  },
  function moveStretch(input, { random }) {
    const { start, end } = stretch(input, random);
    const rest = join(input.subarray(0, start), input.subarray(end));
    return insertAt(rest, randomInt(rest.length + 1, random), input.subarray(start, end));
  },
  function takeFromOther(input, { random, others }) {
    if (others.length === 0) return input;
    const other = pick(others, random);
    const { start, end } = stretch(other, random);
    return insertAt(input, randomInt(input.length + 1, random), other.subarray(start, end));
  },
  function crossOver(input, { random, others }) {
    if (others.length === 0) return input;
    const other = pick(others, random);
    return join(
      input.subarray(0, randomInt(input.length + 1, random)),
      other.subarray(randomInt(other.length + 1, random)),
    );
  },
  function changeNumber(input, { random }) {
    const text = Buffer.from(input).toString("latin1");
    const numbers = [...text.matchAll(/\d+/g)];
    if (numbers.length === 0) return input;
    const { index, 0: digits } = pick(numbers, random);
    const value = pick(
      [
        "0",
        "-1",
        "1",
        "127",
        "128",
        "255",
        "256",
        "65535",
        "65536",
        "2147483647",
        "2147483648",
        "4294967296",
        "9007199254740993",
        "9223372036854775808",
        "1e999",
        `${digits}${digits}`,
      ],
      random,
    );
    return Buffer.from(text.slice(0, index) + value + text.slice(index + digits.length), "latin1");
  },
];

/** A few changes at once, of any kind. The result is never longer than `maxLength`. */
export function mutate(input: Uint8Array, options: MutateOptions): Uint8Array {
  const { random, maxLength } = options;
  let changed = input.length === 0 ? Uint8Array.of(0) : input;
  for (let times = 1 + randomInt(4, random); times > 0; times--) {
    const next = pick(mutations, random)(changed, options).subarray(0, maxLength);
    changed = next.length === 0 ? Uint8Array.of(randomInt(256, random)) : next;
  }
  return changed;
}
