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

const slabSize = 1 << 20;
/** Most kinds have few objects or none: each slab is twice as large as the one before it, up to the full size. */
const firstSlabSize = 1 << 14;

/** Where a ref points before it is placed. */
export const noSlab: Slab = createSlab(new Uint8Array(0));

export function createSlab(bytes: Uint8Array, owner?: SlabAllocator): Slab {
  return { bytes, owner, used: 0, liveBytes: 0, refs: [], released: 0 };
}

/** `sharedBytes`: of refs of other allocators that the cache begins with. */
export function createSlabAllocator(sharedBytes = 0): SlabAllocator {
  let shared = sharedBytes;
  let current = noSlab;
  let nextSize = firstSlabSize;
  const slabs = new Set<Slab>();

  function open(length: number): Slab {
    const slab = createSlab(new Uint8Array(length), self);
    slabs.add(slab);
    return slab;
  }

  /** A large object has a slab of its own, so that it goes when the object goes. */
  function slabFor(length: number): Slab {
    if (length > slabSize / 4) return open(length);
    if (current.used + length > current.bytes.length) {
      const full = current;
      // Entries that were released while it was filled are not checked again later, so a sparse slab is compacted now;
      // its live bytes move, and need room beside the new ones.
      const moves = isSparse(full);
      current = open(Math.max(nextSize, length + (moves ? full.liveBytes : 0)));
      nextSize = Math.min(nextSize * 2, slabSize);
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
    slab.refs.push(ref);
  }

  function compact(slab: Slab): void {
    slabs.delete(slab);
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
      if (slab !== current && isSparse(slab)) return compact(slab);
      if (++slab.released * 2 <= slab.refs.length) return;
      slab.refs = slab.refs.filter(({ live }) => live);
      slab.released = 0;
    },
    liveBytes: () => [...slabs].reduce((sum, slab) => sum + slab.liveBytes, shared),
    size: () => [...slabs].reduce((sum, slab) => sum + slab.bytes.length, 0),
  };
  return self;
}
