import { type TestRuntime, testRuntime } from "@coxswain/runtime";
import { createMemoryStore, type MemoryStore } from "../memory/index.js";
import type { ChronicleChange, ChronicleLimits } from "./chronicle.js";
import { rules } from "./churn.test.support.js";
import { memoryFiles } from "./memory-files.js";
import { type OpenChronicle, openChronicle } from "./open-chronicle.js";
import type { SegmentFile, SegmentFiles } from "./segment-files.js";

export interface Recording {
  readonly chronicle: OpenChronicle;
  readonly store: MemoryStore;
  readonly runtime: TestRuntime;
  /** Writes a pod with a value of so many bytes, which do not deflate well. */
  write(name: string, bytes?: number): Promise<number>;
  /** Changes of all keys, oldest first: revision and key. */
  names(): Promise<string[]>;
  stop(): Promise<void>;
}

export async function record(
  { files = memoryFiles(), limits = { bytes: 32 << 20 } }: { files?: SegmentFiles; limits?: ChronicleLimits } = {},
  runtime = testRuntime(1),
): Promise<Recording> {
  const store = createMemoryStore({ runtime });
  const chronicle = await openChronicle({
    files,
    rules,
    limits,
    snapshot: () => store.snapshot(),
    runtime,
    store: { revision: store.revision, compacted: 0 },
  });
  const stopping = new AbortController();
  const watching = store.watch(
    { prefix: "/registry/", from: store.revision },
    (events, progress) => chronicle.record(events, progress),
    stopping.signal,
  );
  return {
    chronicle,
    store,
    runtime,
    async write(name, bytes = 100) {
      const key = `/registry/pods/a/${name}`;
      const value = Buffer.from(runtime.random.bytes(Math.ceil(bytes / 2))).toString("hex");
      const expected = (await store.get(key))?.revision ?? 0;
      const note = { time: runtime.clock.now(), user: "ann" };
      const written = await store.put({ key, value: Buffer.from(value), expected, note });
      if (written.kind === "conflict") throw new Error("written twice");
      return written.revision;
    },
    names: () => namesOf(chronicle),
    async stop() {
      stopping.abort();
      await watching;
      await chronicle.close();
      await store.close();
    },
  };
}

export async function namesOf(chronicle: OpenChronicle): Promise<string[]> {
  const found: ChronicleChange[] = [];
  for await (const portion of chronicle.changes({})) found.push(...portion);
  return found.map(({ revision, key }) => `${revision} ${key.slice("/registry/pods/a/".length)}`).reverse();
}

/** Files of which `before` is asked before each append; it may refuse, or wait. As on a disk, what is closed cannot be read. */
export function filesWith(before: (segment: number) => Promise<void> | void, files = memoryFiles()): SegmentFiles {
  const guarded = (number: number, file: SegmentFile): SegmentFile => {
    let isClosed = false;
    return {
      get bytes() {
        return file.bytes;
      },
      async append(bytes) {
        await before(number);
        await file.append(bytes);
      },
      async read(offset, length) {
        if (isClosed) throw new Error("file closed");
        return file.read(offset, length);
      },
      truncate: (bytes) => file.truncate(bytes),
      async close() {
        isClosed = true;
        await file.close();
      },
    };
  };
  return {
    ...files,
    create: async (number) => guarded(number, await files.create(number)),
    open: async (number) => guarded(number, await files.open(number)),
  };
}
