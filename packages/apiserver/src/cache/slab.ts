/**
 * Bytes of many objects in few large buffers: a Buffer per object costs more than half a kilobyte beside its bytes.
 * A slab is never written again where it has been written, so an entry that a list or an event still holds keeps its bytes;
 * compaction copies the live ones to a new slab, and the old one goes when nobody holds a dead entry of it.
 */
export interface SlabRef {
  slab: Slab;
  offset: number;
  length: number;
  /** False once the cache itself no longer needs it. */
  live: boolean;
}

export interface Slab {
  readonly bytes: Uint8Array;
  /** The allocator that it belongs to; undefined: none. */
  readonly owner: SlabAllocator | undefined;
  used: number;
  liveBytes: number;
  /** What has to move when the slab is compacted. Released ones are at most half of it: each holds its object's labels and fields. */
  refs: SlabRef[];
  released: number;
}

export interface SlabAllocator {
  /** Points `ref` at room for so many bytes, which the caller fills at once. */
  place(ref: SlabRef, length: number): void;
  /** The cache needs these bytes no longer; readers that hold `ref` may go on reading them. Of another allocator's ref only the size counts. */
  release(ref: SlabRef): void;
  /** Bytes held by slabs that have something live. */
  size(): number;
  /** Bytes of those that are live. */
  liveBytes(): number;
}

const maxSlabSize = 1 << 20;
/** Most kinds have few objects or none. */
const minSlabSize = 1 << 14;

/**
 * Pure: the next slab has room for about as much as is live now. By the number of slabs so far, a kind of three objects that change
 * all day would end with slabs of a megabyte, and an event that is kept would hold one of them.
 */
function nextSlabSize(liveBytes: number): number {
  let size = minSlabSize;
  while (size < liveBytes && size < maxSlabSize) size *= 2;
  return size;
}

/** Where a ref points before it is placed. */
export const noSlab: Slab = createSlab(new Uint8Array(0));

export function createSlab(bytes: Uint8Array, owner?: SlabAllocator): Slab {
  return { bytes, owner, used: 0, liveBytes: 0, refs: [], released: 0 };
}

/** `sharedBytes`: of refs of other allocators that the cache begins with. */
export function createSlabAllocator(sharedBytes = 0): SlabAllocator {
  let shared = sharedBytes;
  let current = noSlab;
  let live = 0;
  const slabs = new Set<Slab>();

  function open(length: number): Slab {
    const slab = createSlab(new Uint8Array(length), self);
    slabs.add(slab);
    return slab;
  }

  /** A large object has a slab of its own, so that it goes when the object goes. */
  function slabFor(length: number): Slab {
    if (length > maxSlabSize / 4) return open(length);
    if (current.used + length > current.bytes.length) {
      const full = current;
      // Entries that were released while it was filled are not checked again later, so a sparse slab is compacted now;
      // its live bytes move, and need room beside the new ones.
      const moves = isSparse(full);
      current = open(Math.max(nextSlabSize(live), length + (moves ? full.liveBytes : 0)));
      if (moves) compact(full);
    }
    return current;
  }

  const isSparse = (slab: Slab): boolean => slab.liveBytes < slab.bytes.length / 2;

  function place(ref: SlabRef, length: number): void {
    const slab = slabFor(length);
    ref.slab = slab;
    ref.offset = slab.used;
    ref.length = length;
    ref.live = true;
    slab.used += length;
    slab.liveBytes += length;
    live += length;
    slab.refs.push(ref);
  }

  function compact(slab: Slab): void {
    slabs.delete(slab);
    live -= slab.liveBytes;
    const refs = slab.refs;
    slab.refs = [];
    for (const ref of refs) {
      if (!ref.live) continue;
      const bytes = slab.bytes.subarray(ref.offset, ref.offset + ref.length);
      place(ref, bytes.length);
      ref.slab.bytes.set(bytes, ref.offset);
    }
  }

  const self: SlabAllocator = {
    place,
    release(ref) {
      if (ref.slab.owner !== self) {
        shared -= ref.length;
        return;
      }
      if (!ref.live) return;
      ref.live = false;
      const { slab } = ref;
      slab.liveBytes -= ref.length;
      live -= ref.length;
      if (slab !== current && isSparse(slab)) return compact(slab);
      if (++slab.released * 2 <= slab.refs.length) return;
      slab.refs = slab.refs.filter(({ live }) => live);
      slab.released = 0;
    },
    liveBytes: () => shared + live,
    size: () => [...slabs].reduce((sum, slab) => sum + slab.bytes.length, 0),
  };
  return self;
}
