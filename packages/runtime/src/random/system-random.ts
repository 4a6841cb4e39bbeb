import type { RandomSource } from "./random-source.js";

/** What the platform gives out at once. */
const mostAtOnce = 65_536;

/** Bytes are taken from the platform in blocks: asking it for sixteen at a time costs more than using them. */
const block = new Uint8Array(4096);
let used = block.length;

function take(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  takeInto(bytes);
  return bytes;
}

function takeInto(bytes: Uint8Array): void {
  const { length } = bytes;
  if (length > block.length / 4) return fill(bytes);
  makeRoom(length);
  for (let at = 0; at < length; at++) {
    bytes[at] = block[used] as number;
    block[used++] = 0; // nobody can read afterwards what was given out
  }
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

function fill(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += mostAtOnce)
    globalThis.crypto.getRandomValues(bytes.subarray(at, at + mostAtOnce) as Uint8Array<ArrayBuffer>);
}

/** The platform's strong random source. */
export const systemRandom: RandomSource = {
  next: () => takeNumber() / 2 ** 32,
  bytes: take,
  drawInto: takeInto,
};
