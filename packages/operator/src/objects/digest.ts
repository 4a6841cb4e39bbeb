/** FNV-1a's 32-bit offset basis and prime, and a second multiplier, so that both halves do not collide together. */
const basis = 0x811c9dc5;
const primes = [0x01000193, 0x85ebca6b] as const;

/** 16 hexadecimal digits: to see that two texts differ, not against somebody who wants them to look alike. */
export function digestOf(text: string): string {
  let [first, second] = [basis, basis];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, primes[0]);
    second = Math.imul(second ^ unit, primes[1]);
    second ^= second >>> 15; // its high bits reach the low ones, which a product alone does not do
  }
  return [first, second].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
