import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type ArchiveLimits, readArchive } from "./read-archive.js";

/** A tar archive (ustar) of small files. */
function tar(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write("0000644\0", 100);
    header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("        0", 148);
    header.write("ustar\x0000", 257);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, Buffer.from(content.padEnd(Math.ceil(content.length / 512) * 512, "\0"))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const read = (bytes: Buffer, limits?: ArchiveLimits): Promise<string[]> =>
  readArchive(
    (async function* () {
      for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700);
    })(),
    limits,
  );

const index = JSON.stringify({
  manifests: [
    { annotations: { "org.opencontainers.image.ref.name": "1", "io.containerd.image.name": "localhost/a:1" } },
    { annotations: { "org.opencontainers.image.ref.name": "localhost/b:2" } },
    {},
  ],
});
const manifest = JSON.stringify([{ RepoTags: ["busybox:1", "busybox:2"] }, { RepoTags: null }]);

describe("an archive of images", () => {
  it("in OCI's form names its images by annotations", async () =>
    expect(await read(tar({ "oci-layout": "{}", "index.json": index }))).toEqual(["localhost/a:1", "localhost/b:2"]));
  it("of docker save names them by their tags", async () =>
    expect(await read(tar({ "layer/x": "bytes", "./manifest.json": manifest }))).toEqual(["busybox:1", "busybox:2"]));
  it("may be gzipped", async () =>
    expect(await read(gzipSync(tar({ "manifest.json": manifest })))).toEqual(["busybox:1", "busybox:2"]));

  const refused = [
    { name: "without images", bytes: tar({ file: "x" }), error: "has no images" },
    { name: "that is none", bytes: Buffer.alloc(2048, 65), error: "no tar archive" },
    { name: "that is cut off", bytes: tar({ "index.json": index }).subarray(0, 600), error: "no tar archive" },
    { name: "that is a broken gzip", bytes: Buffer.from([0x1f, 0x8b, 1, 2, 3, 4]), error: "no tar archive" },
    { name: "whose list is no JSON", bytes: tar({ "index.json": "{" }), error: "is no JSON" },
    { name: "with too many files", bytes: tar({ a: "", b: "", c: "" }), error: "more than 2 files" },
    { name: "with too much content", bytes: tar({ a: "x".repeat(3000) }), error: "more than 2000 bytes" },
  ];
  for (const { name, bytes, error } of refused)
    it(`${name} is refused`, async () => {
      const limits = { entries: 2, bytes: 2000 };
      await expect(read(bytes, limits)).rejects.toThrow(error);
    });
});
