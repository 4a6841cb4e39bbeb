import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parsePath, type Registry, startRegistry } from "./registry.js";
import { writeImages } from "./write-images.js";

describe("a registry of an image layout", () => {
  let folder = "";
  let registry: Registry;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "registry-"));
    await writeImages(folder, {
      layers: { text: { kind: "entries", entries: [{ kind: "file", path: "hello", content: "hello\n" }] } },
      images: [{ refs: ["registry.k8s.io/team/hello:1"], layers: ["text"], config: { Cmd: ["/hello"] } }],
    });
    registry = await startRegistry({ folder, address: "127.0.0.1", port: 0 });
  });
  afterAll(async () => {
    await registry.stop();
    await rm(folder, { recursive: true });
  });
  const get = (path: string, method = "GET"): Promise<Response> =>
    fetch(`http://127.0.0.1:${registry.port}${path}`, { method });

  it("serves a manifest by tag and by digest, and the blobs that it names with the bytes of their digests", async () => {
    const byTag = await get("/v2/team/hello/manifests/1?ns=registry.k8s.io");
    const digest = byTag.headers.get("docker-content-digest") ?? "";
    const manifest = (await byTag.json()) as { config: { digest: string }; layers: { digest: string; size: number }[] };
    expect(await (await get(`/v2/team/hello/manifests/${digest}`)).json()).toEqual(manifest);
    const config = (await (await get(`/v2/team/hello/blobs/${manifest.config.digest}`)).json()) as {
      config: { Cmd: string[] };
      rootfs: { diff_ids: string[] };
    };
    expect(config.config.Cmd).toEqual(["/hello"]);
    expect(config.rootfs.diff_ids).toEqual(manifest.layers.map((layer) => layer.digest));
    const layer = Buffer.from(await (await get(`/v2/team/hello/blobs/${config.rootfs.diff_ids[0]}`)).arrayBuffer());
    expect(`sha256:${createHash("sha256").update(layer).digest("hex")}`).toBe(config.rootfs.diff_ids[0]);
    expect(layer.length).toBe(manifest.layers[0]?.size);
  });

  it("answers a HEAD with the size alone", async () => {
    const answer = await get("/v2/team/hello/manifests/1", "HEAD");
    expect([answer.status, Number(answer.headers.get("content-length")) > 100, await answer.text()]).toEqual([
      200,
      true,
      "",
    ]);
  });

  const refused = [
    { name: "an unknown tag", path: "/v2/team/hello/manifests/2", status: 404 },
    { name: "an unknown blob", path: `/v2/team/hello/blobs/sha256:${"0".repeat(64)}`, status: 404 },
    { name: "a path out of the layout", path: "/v2/team/hello/blobs/..%2f..%2findex.json", status: 404 },
    { name: "a push", path: "/v2/team/hello/blobs/uploads/", method: "POST", status: 405 },
  ];
  for (const { name, path, method, status } of refused)
    it(`refuses ${name}`, async () => expect((await get(path, method)).status).toBe(status));

  it("takes only digests for blobs", () => expect(parsePath("/v2/a/blobs/latest")).toBeUndefined());
});
