const offsetBasis = 0x811c_9dc5;
const prime = 0x0100_0193;
const slash = 47;

/** FNV-1a of a text, 32 bits. Two texts may share one: who finds it in a block looks at the keys there. */
export function hashOf(text: string): number {
  let hash = offsetBasis;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), prime);
  return hash >>> 0;
}

/** Adds the hash of a key, and of each of its prefixes that end with a slash: what a block is searched for. */
export function addHashes(key: string, hashes: Set<number>): void {
  let hash = offsetBasis;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    hash = Math.imul(hash ^ code, prime);
    if (code === slash) hashes.add(hash >>> 0);
  }
  hashes.add(hash >>> 0);
}

/** Whether a hash is among those, which are in order. */
export function hasHash(hashes: Uint32Array, hash: number): boolean {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashes[middle]! < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash;
}
