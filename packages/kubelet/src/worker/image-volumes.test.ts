import { describe, expect, it } from "vitest";
import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import type { FileSource, ImageRecord } from "../runtime/container-runtime.js";
import { pullImageVolumes } from "./image-volumes.js";

describe("images that a container mounts", () => {
  const pod = {
    spec: {
      volumes: [
        { name: "pages", image: { reference: "kitten:1", pullPolicy: "Always" } },
        { name: "other", image: { reference: "nautilus:1" } },
        { name: "scratch", emptyDir: {} },
      ],
    },
  } as unknown as CachedPod;
  const volumes = new Map<string, FileSource>([
    ["pages", { kind: "image", ref: "kitten:1" }],
    ["other", { kind: "image", ref: "nautilus:1" }],
    ["scratch", { kind: "host", path: "/scratch" }],
  ]);

  it("are pulled by the policies of their volumes, those of other containers are not", async () => {
    const asked: unknown[] = [];
    const puller = {
      ensure: async ({ container }: { readonly container: CachedContainer }): Promise<ImageRecord> => {
        asked.push(container);
        return { id: "sha256:1" } as ImageRecord;
      },
    };
    const mount = (name: string) => ({ name, mountPath: `/${name}` });
    const container: CachedContainer = { name: "web", volumeMounts: [mount("pages"), mount("scratch")] };
    const pulled = await pullImageVolumes(puller, { pod, container, volumes }, new AbortController().signal);
    expect(asked).toEqual([{ name: "web", image: "kitten:1", imagePullPolicy: "Always" }]);
    expect([...pulled.values()]).toEqual([
      { kind: "image", ref: "sha256:1" },
      { kind: "image", ref: "nautilus:1" },
      { kind: "host", path: "/scratch" },
    ]);
  });
});
