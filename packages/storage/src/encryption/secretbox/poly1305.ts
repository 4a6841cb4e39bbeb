/** A number below 2^130 is kept in ten limbs of 13 bits: products of two limbs, summed, stay exact in a JavaScript number. */
const limbs = 10;
const bits = 13;
const mask = 0x1fff;

/** The one-time authenticator of a message (RFC 8439, section 2.5). `key` has 32 bytes and must never be used twice. */
export function poly1305(key: Uint8Array, message: Uint8Array): Uint8Array {
  const r = toLimbs(clamped(key.subarray(0, 16)));
  const sum = new Float64Array(limbs);
  const block = new Uint8Array(17);
  for (let offset = 0; offset < message.length; offset += 16) {
    const piece = message.subarray(offset, offset + 16);
    block.fill(0);
    block.set(piece);
    block[piece.length] = 1;
    const added = toLimbs(block);
    for (let index = 0; index < limbs; index += 1) sum[index]! += added[index]!;
    multiply(sum, r);
  }
  return addKey(reduce(sum), key.subarray(16, 32));
}

function clamped(bytes: Uint8Array): Uint8Array {
  const r = Uint8Array.from(bytes);
  for (const index of [3, 7, 11, 15]) r[index]! &= 15;
  for (const index of [4, 8, 12]) r[index]! &= 252;
  return r;
}

function toLimbs(bytes: Uint8Array): Float64Array {
  const result = new Float64Array(limbs);
  for (let index = 0; index < limbs; index += 1) {
    const bit = index * bits;
    const at = bit >> 3;
    const window = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    result[index] = (window >>> (bit & 7)) & mask;
  }
  return result;
}

/** sum := sum · r modulo 2^130 - 5, not fully reduced. What passes 2^130 comes back five times. */
function multiply(sum: Float64Array, r: Float64Array): void {
  const product = new Float64Array(limbs);
  for (let i = 0; i < limbs; i += 1) {
    const left = sum[i]!;
    for (let j = 0; j < limbs; j += 1) {
      const at = i + j;
      if (at < limbs) product[at]! += left * r[j]!;
      else product[at - limbs]! += left * r[j]! * 5;
    }
  }
  carry(product);
  sum.set(product);
}

function carry(value: Float64Array): void {
  // Twice: what the first round carries from the top into the lowest limb may overflow it again.
  for (let round = 0; round < 2; round += 1) {
    let over = 0;
    for (let index = 0; index < limbs; index += 1) {
      const whole = value[index]! + over;
      over = Math.floor(whole / (mask + 1));
      value[index] = whole - over * (mask + 1);
    }
    value[0]! += over * 5;
  }
}

/** The number below 2^130 - 5, as 17 bytes, little-endian. */
function reduce(sum: Float64Array): Uint8Array {
  carry(sum);
  // At or above 2^130 - 5: adding 5 passes 2^130, and what is left is the number we want.
  const raised = Float64Array.from(sum);
  raised[0]! += 5;
  let over = 0;
  for (let index = 0; index < limbs; index += 1) {
    const whole = raised[index]! + over;
    over = Math.floor(whole / (mask + 1));
    raised[index] = whole - over * (mask + 1);
  }
  const final = over > 0 ? raised : sum;
  const bytes = new Uint8Array(17);
  for (let index = 0; index < limbs; index += 1) {
    const bit = index * bits;
    const shifted = final[index]! << (bit & 7);
    const at = bit >> 3;
    bytes[at]! |= shifted;
    bytes[at + 1]! |= shifted >> 8;
    if (at + 2 < bytes.length) bytes[at + 2]! |= shifted >> 16;
  }
  return bytes;
}

/** Modulo 2^128. */
function addKey(value: Uint8Array, key: Uint8Array): Uint8Array {
  const tag = new Uint8Array(16);
  let over = 0;
  for (let index = 0; index < 16; index += 1) {
    const whole = value[index]! + key[index]! + over;
    tag[index] = whole;
    over = whole >> 8;
  }
  return tag;
}
