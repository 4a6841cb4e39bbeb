import { huffmanLengths } from "./hpack-tables.js";
import { errorCode, Http2Error } from "./http2-error.js";

const endOfString = 256;
/** No transition: the bits are no code, or EOS, which must not be sent. */
const nowhere = 0xffff;
const noSymbol = 0xffff;

/**
 * The Huffman code as a state machine over four bits at a time. A state is an inner node of the code tree; row `state * 16 + bits`
 * has the next state and the symbol completed on the way: at most one, since no code is shorter than five bits.
 */
interface Machine {
  readonly next: Uint16Array;
  readonly symbol: Uint16Array;
  /** States in which a string may end: the padding is fewer than eight bits, all ones. */
  readonly mayEnd: Uint8Array;
}

/** Built at first use: most clients never need it. */
let machine: Machine | undefined;

function build(): Machine {
  const { zero, one } = buildTree();
  const next = new Uint16Array(zero.length * 16).fill(nowhere);
  const symbol = new Uint16Array(zero.length * 16).fill(noSymbol);
  for (let state = 0; state < zero.length; state += 1) {
    for (let bits = 0; bits < 16; bits += 1) {
      let node = state;
      let completed = noSymbol;
      for (let bit = 8; bit > 0 && node !== nowhere; bit >>= 1) {
        node = (bits & bit) === 0 ? zero[node]! : one[node]!;
        if (node >= 0) continue;
        completed = -node - 1;
        node = completed === endOfString ? nowhere : 0;
      }
      next[state * 16 + bits] = node;
      symbol[state * 16 + bits] = completed;
    }
  }
  const mayEnd = new Uint8Array(zero.length);
  for (let node = 0, depth = 0; depth < 8 && node >= 0; depth += 1, node = one[node]!) mayEnd[node] = 1;
  return { next, symbol, mayEnd };
}

/** A tree in two arrays: where a bit leads. Negative: a symbol, as its number plus one. */
interface Tree {
  readonly zero: number[];
  readonly one: number[];
}

function buildTree(): Tree {
  const tree: Tree = { zero: [0], one: [0] };
  const lengths = [...huffmanLengths].map((digit) => Number.parseInt(digit, 36));
  const symbols = lengths.map((_, symbol) => symbol).sort((a, b) => lengths[a]! - lengths[b]! || a - b);
  let code = 0;
  let length = 0;
  for (const symbol of symbols) {
    code *= 2 ** (lengths[symbol]! - length);
    length = lengths[symbol]!;
    addLeaf(tree, { code, length, symbol });
    code += 1;
  }
  return tree;
}

function addLeaf(
  { zero, one }: Tree,
  { code, length, symbol }: { code: number; length: number; symbol: number },
): void {
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

const scratch = Buffer.allocUnsafeSlow(8192);

/** @throws Http2Error for bits that are no code */
export function decodeHuffman(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const { next, symbol, mayEnd } = (machine ??= build());
  // The shortest code has five bits.
  const text = (end - start) * 8 <= scratch.length * 5 ? scratch : Buffer.allocUnsafe((end - start) * 2);
  let length = 0;
  let state = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    for (let shift = 4; shift >= 0; shift -= 4) {
      const row = state * 16 + ((byte >> shift) & 15);
      state = next[row]!;
      if (state === nowhere) throw malformed();
      const completed = symbol[row]!;
      if (completed !== noSymbol) text[length++] = completed;
    }
  }
  // The last byte is padded with the beginning of EOS: ones, and fewer than eight.
  if (mayEnd[state] === 0) throw malformed();
  return text.toString("latin1", 0, length);
}

const malformed = (): Http2Error => new Http2Error(errorCode.compressionError, "HPACK: malformed Huffman code");
