import { huffmanLengths } from "./hpack-tables.js";
import { errorCode, Http2Error } from "./http2-error.js";

/** A tree in two arrays: where a bit leads. Negative: a symbol, as its number plus one. */
interface Tree {
  readonly zero: number[];
  readonly one: number[];
}

const endMark = 256;

/** Made at the first use: most connections never need it. */
let tree: Tree | undefined;

function plantTree(): Tree {
  const grown: Tree = { zero: [0], one: [0] };
  const lengths = [...huffmanLengths].map((digit) => Number.parseInt(digit, 36));
  const symbols = lengths.map((_, symbol) => symbol).sort((a, b) => lengths[a]! - lengths[b]! || a - b);
  let code = 0;
  let length = 0;
  for (const symbol of symbols) {
    code *= 2 ** (lengths[symbol]! - length);
    length = lengths[symbol]!;
    addLeaf(grown, { code, length, symbol });
    code += 1;
  }
  return grown;
}

function addLeaf({ zero, one }: Tree, { code, length, symbol }: { code: number; length: number; symbol: number }): void {
  let node = 0;
  for (let bit = length - 1; bit >= 0; bit -= 1) {
    const side = Math.floor(code / 2 ** bit) % 2 === 0 ? zero : one;
    if (bit === 0) side[node] = -(symbol + 1);
    else {
      if (side[node] === 0) {
        side[node] = zero.length;
        zero.push(0);
        one.push(0);
      }
      node = side[node]!;
    }
  }
}

/** @throws Http2Error for bits that are no code */
export function decodeHuffman(bytes: Uint8Array): string {
  tree ??= plantTree();
  const { zero, one } = tree;
  let text = "";
  let node = 0;
  let sinceSymbol = 0;
  let onlyOnes = true;
  for (const byte of bytes) {
    for (let bit = 0x80; bit > 0; bit >>= 1) {
      const set = (byte & bit) !== 0;
      node = set ? one[node]! : zero[node]!;
      sinceSymbol += 1;
      onlyOnes &&= set;
      if (node >= 0) continue;
      const symbol = -node - 1;
      if (symbol === endMark) throw malformed();
      text += String.fromCharCode(symbol);
      node = 0;
      sinceSymbol = 0;
      onlyOnes = true;
    }
  }
  // The rest of the last byte is filled with the beginning of the end mark: ones, and fewer than eight.
  if (sinceSymbol > 7 || !onlyOnes) throw malformed();
  return text;
}

const malformed = (): Http2Error => new Http2Error(errorCode.compressionError, "a compressed header is malformed");
