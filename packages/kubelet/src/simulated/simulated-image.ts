import { createHash } from "node:crypto";
import type { ImageRecord } from "../runtime/container-runtime.js";

/** An image as a registry could hold it: digest and size follow from its name. */
export function simulatedImage(image: string): ImageRecord {
  const digest = createHash("sha256").update(image).digest("hex");
  const at = image.indexOf("@");
  const ref = at >= 0 ? image : `${withoutTag(image)}@sha256:${digest}`;
  return {
    image,
    id: `sha256:${digest}`,
    ref,
    tags: at >= 0 ? [] : [image],
    digests: [ref],
    sizeBytes: 1_000_000 + (Number.parseInt(digest.slice(0, 6), 16) % 100_000_000),
    user: {},
    pinned: false,
  };
}

function withoutTag(image: string): string {
  const colon = image.lastIndexOf(":");
  return colon > image.lastIndexOf("/") ? image.slice(0, colon) : image;
}
