/** Salsa20 and HSalsa20 with 20 rounds (D. J. Bernstein, "The Salsa20 family of stream ciphers"). node:crypto has neither. */

/** "expand 32-byte k" */
const sigma = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const;

const word = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;

/** The sixteen words: constants on the diagonal, the cipher key around them, sixteen bytes of input between. */
function startingWords(key: Uint8Array, input: Uint8Array): Uint32Array {
  const k = (index: number): number => word(key, index * 4);
  const n = (index: number): number => word(input, index * 4);
  return Uint32Array.of(
    sigma[0],
    k(0),
    k(1),
    k(2),
    k(3),
    sigma[1],
    n(0),
    n(1),
    n(2),
    n(3),
    sigma[2],
    k(4),
    k(5),
    k(6),
    k(7),
    sigma[3],
  );
}

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** Twenty rounds, in place: columns, then rows, ten times. */
function mix(x: Uint32Array): void {
  const quarter = (a: number, b: number, c: number, d: number): void => {
    x[b]! ^= rotated((x[a]! + x[d]!) | 0, 7);
    x[c]! ^= rotated((x[b]! + x[a]!) | 0, 9);
    x[d]! ^= rotated((x[c]! + x[b]!) | 0, 13);
    x[a]! ^= rotated((x[d]! + x[c]!) | 0, 18);
  };
  for (let round = 0; round < 10; round += 1) {
    quarter(0, 4, 8, 12);
    quarter(5, 9, 13, 1);
    quarter(10, 14, 2, 6);
    quarter(15, 3, 7, 11);
    quarter(0, 1, 2, 3);
    quarter(5, 6, 7, 4);
    quarter(10, 11, 8, 9);
    quarter(15, 12, 13, 14);
  }
}

const bytesOf = (words: ArrayLike<number>): Uint8Array => {
  const bytes = new Uint8Array(words.length * 4);
  for (let index = 0; index < words.length; index += 1) {
    const value = words[index]!;
    bytes[index * 4] = value;
    bytes[index * 4 + 1] = value >>> 8;
    bytes[index * 4 + 2] = value >>> 16;
    bytes[index * 4 + 3] = value >>> 24;
  }
  return bytes;
};

/** A cipher key from a key and sixteen bytes. */
export function hsalsa20(key: Uint8Array, input: Uint8Array): Uint8Array {
  const x = startingWords(key, input);
  mix(x);
  return bytesOf([x[0]!, x[5]!, x[10]!, x[15]!, x[6]!, x[7]!, x[8]!, x[9]!]);
}

/** `length` bytes of the key stream of a key and eight bytes. */
export function salsa20(key: Uint8Array, nonce: Uint8Array, length: number): Uint8Array {
  const stream = new Uint8Array(Math.ceil(length / 64) * 64);
  const input = new Uint8Array(16);
  input.set(nonce);
  const start = startingWords(key, input);
  const x = new Uint32Array(16);
  for (let block = 0; block * 64 < length; block += 1) {
    start[8] = block;
    x.set(start);
    mix(x);
    for (let index = 0; index < 16; index += 1) x[index]! += start[index]!;
    stream.set(bytesOf(x), block * 64);
  }
  return stream.subarray(0, length);
}
