import { createGunzip } from "node:zlib";
import { readTar } from "@coxswain/client/node";

/** What an archive of images may be; a larger one is refused before anything of it is given to a runtime. */
export interface ArchiveLimits {
  /** Of all content, unpacked. */
  readonly bytes: number;
  readonly entries: number;
}

export const archiveLimits: ArchiveLimits = { bytes: 64 * 2 ** 30, entries: 20_000 };
/** Of the files that list what is there: those of large images have some KiB. */
const maxListBytes = 4 << 20;

/** Thrown for what is no archive of images. */
export class ArchiveError extends Error {}

/** The names of the images in an archive of `docker save` or in the form of an OCI image layout, gzipped or not. @throws ArchiveError */
export async function readArchive(
  chunks: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits = archiveLimits,
): Promise<string[]> {
  const lists = new Map<string, unknown>();
  let [entries, bytes] = [0, 0];
  try {
    for await (const { name, type, size, content } of readTar(unzipped(chunks))) {
      entries++;
      bytes += size;
      if (entries > limits.entries) throw new ArchiveError(`the archive has more than ${limits.entries} files`);
      if (bytes > limits.bytes) throw new ArchiveError(`the archive has more than ${limits.bytes} bytes`);
      const path = name.replace(/^\.\//, "");
      if (type === "file" && (path === "index.json" || path === "manifest.json"))
        lists.set(path, await readJson(path, size, content));
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`it is no tar archive: ${(error as Error).message}`, { cause: error });
  }
  if (lists.size === 0)
    throw new ArchiveError(
      "the archive has neither index.json (OCI) nor manifest.json (docker save): it has no images",
    );
  return [
    ...new Set([...namesOfIndex(lists.get("index.json")), ...namesOfManifest(lists.get("manifest.json"))]),
  ].sort();
}

async function readJson(name: string, size: number, content: AsyncIterable<Buffer>): Promise<unknown> {
  if (size > maxListBytes) throw new ArchiveError(`${name} of the archive is larger than ${maxListBytes} bytes`);
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part);
  try {
    return JSON.parse(Buffer.concat(parts).toString()) as unknown;
  } catch (error) {
    throw new ArchiveError(`${name} of the archive is no JSON`, { cause: error });
  }
}

/** By its first bytes a gzipped archive is known (RFC 1952, 2.3.1). */
export async function* unzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  const first = await source.next();
  const all = (async function* (): AsyncGenerator<Uint8Array> {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => source };
  })();
  const isZipped = !first.done && first.value[0] === 0x1f && first.value[1] === 0x8b;
  if (!isZipped) return yield* all;
  const gunzip = createGunzip();
  void pump(all, gunzip);
  yield* gunzip as AsyncIterable<Uint8Array>;
}

async function pump(from: AsyncIterable<Uint8Array>, to: ReturnType<typeof createGunzip>): Promise<void> {
  try {
    for await (const chunk of from)
      if (!to.write(chunk)) await new Promise<void>((resolve) => void to.once("drain", resolve).once("close", resolve));
    to.end();
  } catch (error) {
    to.destroy(error as Error); // the reader gets it
  }
}

const annotations = ["io.containerd.image.name", "org.opencontainers.image.ref.name"] as const;

/** OCI image specification, image-layout.md. */
const namesOfIndex = (index: unknown): string[] =>
  listOf((index as { manifests?: unknown } | undefined)?.manifests).flatMap((manifest) => {
    const found = (manifest as { annotations?: Readonly<Record<string, unknown>> } | null)?.annotations ?? {};
    const name = annotations.map((key) => found[key]).find((value) => typeof value === "string");
    return name === undefined ? [] : [name as string];
  });

const namesOfManifest = (manifest: unknown): string[] =>
  listOf(manifest).flatMap((image) =>
    listOf((image as { RepoTags?: unknown } | null)?.RepoTags).filter((tag) => typeof tag === "string"),
  );

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
