import { describe, expect, it } from "vitest";
import { createSlabAllocator, noSlab, type SlabAllocator, type SlabRef } from "./slab.js";

const newRef = (): SlabRef => ({ slab: noSlab, offset: 0, length: 0, live: false });
const textOf = (ref: SlabRef): string =>
  new TextDecoder().decode(ref.slab.bytes.subarray(ref.offset, ref.offset + ref.length));
const object = (at: number): Uint8Array => new TextEncoder().encode(`object ${at} `.padEnd(1000, "."));
const place = (slabs: SlabAllocator, ref: SlabRef, bytes: Uint8Array): void => {
  slabs.place(ref, bytes.length);
  ref.slab.bytes.set(bytes, ref.offset);
};

describe("slabs", () => {
  it("hold what was placed, and take no more than twice what lives once most of it is released", () => {
    const slabs = createSlabAllocator();
    const refs = Array.from({ length: 5000 }, (_, at) => {
      const ref = newRef();
      place(slabs, ref, object(at));
      return ref;
    });
    const kept = refs.filter((_, at) => at % 10 === 0);
    for (const ref of refs) if (!kept.includes(ref)) slabs.release(ref);
    for (const [at, ref] of kept.entries()) expect(textOf(ref)).toBe(new TextDecoder().decode(object(at * 10)));
    expect(slabs.size()).toBeLessThanOrEqual(2 * kept.length * 1000 + 2 * (1 << 20));
  });

  it("a slab whose objects all died while it was filled goes", () => {
    const slabs = createSlabAllocator();
    for (let at = 0; at < 5000; at++) {
      const ref = newRef();
      place(slabs, ref, object(at));
      slabs.release(ref);
    }
    expect(slabs.size()).toBeLessThanOrEqual(1 << 20);
  });

  it("what was released is not held by a slab that is being filled", () => {
    const slabs = createSlabAllocator();
    const refs = Array.from({ length: 100 }, newRef);
    for (const [at, ref] of refs.entries()) place(slabs, ref, object(at).subarray(0, 100));
    const [kept, ...released] = refs as [SlabRef, ...SlabRef[]];
    for (const ref of released) slabs.release(ref);
    expect(kept.slab.refs.length).toBeLessThanOrEqual(2);
    expect(kept.slab.refs).toContain(kept);
  });

  it("the few objects of most kinds take little room", () => {
    const slabs = createSlabAllocator();
    for (let at = 0; at < 10; at++) place(slabs, newRef(), object(at));
    expect(slabs.size()).toBe(1 << 14);
  });

  it("few objects take little room however often they change, and events that are kept hold little more than their bytes", () => {
    const slabs = createSlabAllocator();
    let current = Array.from({ length: 3 }, newRef);
    const events: SlabRef[] = [];
    for (let change = 0; change < 5000; change++) {
      const next = newRef();
      place(slabs, next, object(change));
      const [oldest, ...others] = current as [SlabRef, SlabRef, SlabRef];
      slabs.release(oldest);
      current = [...others, next];
      events.push(next);
    }
    expect(slabs.liveBytes()).toBe(3000);
    expect(slabs.size()).toBeLessThanOrEqual(2 << 14);
    const held = new Set(events.slice(-100).map(({ slab }) => slab.bytes));
    expect([...held].reduce((sum, { length }) => sum + length, 0)).toBeLessThan(150_000);
  });

  it("are large where there are many objects", () => {
    const slabs = createSlabAllocator();
    const refs = Array.from({ length: 5000 }, newRef);
    for (const [at, ref] of refs.entries()) place(slabs, ref, object(at));
    expect(new Set(refs.map(({ slab }) => slab)).size).toBeLessThan(16);
  });

  it("an entry that was released keeps its bytes for readers that still hold it", () => {
    const slabs = createSlabAllocator();
    const old = newRef();
    place(slabs, old, object(1));
    slabs.release(old);
    for (let at = 0; at < 3000; at++) place(slabs, newRef(), object(at));
    expect(textOf(old)).toContain("object 1 ");
  });

  it("few objects take little more than their bytes", () => {
    const slabs = createSlabAllocator();
    const refs = [object(0), new Uint8Array(20_000), object(2)].map((bytes) => {
      const ref = newRef();
      place(slabs, ref, bytes);
      return ref;
    });
    expect(textOf(refs[2] as SlabRef)).toContain("object 2 ");
    expect(slabs.size()).toBeLessThan(256 << 10);
  });

  it("an object larger than the next slab finds room beside what moves into it", () => {
    const slabs = createSlabAllocator();
    const first = newRef();
    place(slabs, first, object(0));
    const large = newRef();
    place(slabs, large, new Uint8Array(100_000).fill(65));
    expect(textOf(first)).toContain("object 0 ");
    expect(textOf(large)).toBe("A".repeat(100_000));
  });

  it("an object larger than a quarter of a slab has one of its own, gone with it", () => {
    const slabs = createSlabAllocator();
    const ref = newRef();
    place(slabs, ref, new Uint8Array(3 << 20));
    slabs.release(ref);
    expect(slabs.size()).toBe(0);
  });
});
