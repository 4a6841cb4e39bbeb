import { createWriteStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type TarEntry, tarChunks } from "./tar.js";

/** A layout as one file, for `ctr images import`: where there is no registry. */
export async function writeImageArchive(layout: string, file: string): Promise<void> {
  const blobs = (await readdir(join(layout, "blobs", "sha256"))).sort();
  const paths = ["oci-layout", "index.json", ...blobs.map((name) => `blobs/sha256/${name}`)];
  const entries: TarEntry[] = paths.map((path) => ({ kind: "copy", path, source: join(layout, path), mode: 0o644 }));
  await pipeline(Readable.from(tarChunks(entries), { objectMode: false }), createWriteStream(file));
}
