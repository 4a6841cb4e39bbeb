import type { RandomSource } from "./random-source.js";

/** What the platform gives out at once. */
const mostAtOnce = 65_536;

/** Bytes are taken from the platform in blocks: asking it for sixteen at a time costs more than using them. */
const block = new Uint8Array(4096);
let used = block.length;

function take(length: number): Uint8Array {
  if (length > block.length / 4) return fill(new Uint8Array(length));
  makeRoom(length);
  const bytes = block.slice(used, used + length);
  block.fill(0, used, used + length); // nobody can read afterwards what was given out
  used += length;
  return bytes;
}

/** 32 bits, without a copy: names are drawn a letter at a time. */
function takeNumber(): number {
  makeRoom(4);
  let number = 0;
  for (let i = 0; i < 4; i++) {
    number = number * 256 + (block[used] as number);
    block[used++] = 0;
  }
  return number;
}

function makeRoom(length: number): void {
  if (used + length <= block.length) return;
  fill(block);
  used = 0;
}

function fill(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  for (let at = 0; at < bytes.length; at += mostAtOnce) globalThis.crypto.getRandomValues(bytes.subarray(at, at + mostAtOnce));
  return bytes;
}

/** The platform's strong random source. */
export const systemRandom: RandomSource = {
  next: () => takeNumber() / 2 ** 32,
  bytes: take,
};
