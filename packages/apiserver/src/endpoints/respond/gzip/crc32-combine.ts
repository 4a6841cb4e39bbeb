/** The polynomial of CRC-32, its bits in the order that zlib uses. */
const polynomial = 0xedb88320;

/** a × b modulo the polynomial, both with the highest power in the lowest bit. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 0x80000000; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ polynomial;
  }
  return product >>> 0;
}

/** x^(2^n), for n from 0 on. */
const powers: number[] = [0x40000000];
for (let n = 1; n < 64; n++) powers.push(multiply(powers[n - 1] as number, powers[n - 1] as number));

/** x^(8 × length): what `length` bytes behind it do to a checksum. */
function shiftBy(length: number): number {
  let shift = 0x80000000;
  for (let rest = length, n = 3; rest > 0; rest = Math.floor(rest / 2), n++)
    if (rest % 2 === 1) shift = multiply(powers[n] as number, shift);
  return shift;
}

/** The checksum of two texts in a row, from theirs and the length of the second: neither is read again. */
export const combineCrc32 = (first: number, second: number, secondLength: number): number =>
  (multiply(shiftBy(secondLength), first) ^ second) >>> 0;
