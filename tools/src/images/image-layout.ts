import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type TarEntry, tarChunks } from "./tar.js";

export interface Blob {
  readonly digest: string;
  readonly size: number;
}

/** What of a container's configuration an image sets (OCI image specification, config.md). */
export interface ImageConfig {
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Env?: readonly string[];
  readonly User?: string;
  readonly StopSignal?: string;
}

/** A folder in the form of an OCI image layout: what a registry serves, and, in a tar archive, what `ctr images import` reads. */
export interface ImageLayout {
  readonly folder: string;
  addLayer(entries: readonly TarEntry[]): Promise<Blob>;
  /** A tar archive that is there already; it is copied. */
  addLayerFile(path: string): Promise<Blob>;
  addImage(image: { ref: string; layers: readonly Blob[]; config: ImageConfig }): Promise<void>;
  /** Writes the index: the images added so far are there for readers from now on. */
  finish(): Promise<void>;
}

export const manifestType = "application/vnd.oci.image.manifest.v1+json";
const configType = "application/vnd.oci.image.config.v1+json";
const layerType = "application/vnd.oci.image.layer.v1.tar";
const refAnnotation = "org.opencontainers.image.ref.name";
/** By which containerd names an image that it imports. */
const nameAnnotation = "io.containerd.image.name";
const defaultPath = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const architectures: Readonly<Record<string, string>> = { x64: "amd64" };

export const blobPath = (digest: string): string => join("blobs", ...digest.split(":"));

interface Descriptor extends Blob {
  readonly mediaType: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export async function createImageLayout(folder: string): Promise<ImageLayout> {
  await mkdir(join(folder, "blobs", "sha256"), { recursive: true });
  const manifests: Descriptor[] = [];
  const add = async (chunks: AsyncIterable<Uint8Array>): Promise<Blob> => {
    const hash = createHash("sha256");
    let size = 0;
    const partial = join(folder, "blobs", `partial-${process.pid}`);
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    };
    await pipeline(Readable.from(counted(), { objectMode: false }), createWriteStream(partial));
    const digest = `sha256:${hash.digest("hex")}`;
    await rename(partial, join(folder, blobPath(digest)));
    return { digest, size };
  };
  const addJson = (value: unknown): Promise<Blob> =>
    add(
      (async function* () {
        yield Buffer.from(JSON.stringify(value));
      })(),
    );
  return {
    folder,
    addLayer: (entries) => add(tarChunks(entries)),
    addLayerFile: (path) => add(createReadStream(path) as AsyncIterable<Uint8Array>),
    async addImage({ ref, layers, config }) {
      const configBlob = await addJson({
        architecture: architectures[process.arch] ?? process.arch,
        os: "linux",
        // Two images of equal content would be one image with two names to a kubelet, which the suite does not expect.
        config: { Env: [defaultPath], Labels: { ref }, ...config },
        rootfs: { type: "layers", diff_ids: layers.map(({ digest }) => digest) },
        history: layers.map(() => ({ created_by: "coxswain" })),
      });
      const manifest = await addJson({
        schemaVersion: 2,
        mediaType: manifestType,
        config: { mediaType: configType, ...configBlob },
        layers: layers.map((layer) => ({ mediaType: layerType, ...layer })),
      });
      const annotations = { [refAnnotation]: ref, [nameAnnotation]: ref };
      manifests.push({ mediaType: manifestType, ...manifest, annotations });
    },
    async finish() {
      await writeFile(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
      const index = { schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json", manifests };
      await writeFile(join(folder, "index.json"), JSON.stringify(index));
    },
  };
}

/** The manifests of a layout by the references of their images. */
export async function readRefs(folder: string): Promise<ReadonlyMap<string, string>> {
  const index = JSON.parse(await readFile(join(folder, "index.json"), "utf8")) as { manifests: Descriptor[] };
  return new Map(index.manifests.map(({ annotations, digest }) => [annotations?.[refAnnotation] ?? "", digest]));
}
