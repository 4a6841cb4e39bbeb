import type { ImageConfig } from "./image-layout.js";
import type { TarEntry } from "./tar.js";

/** Where a layer's bytes come from. */
export type LayerPlan =
  | { readonly kind: "entries"; readonly entries: readonly TarEntry[] }
  | { readonly kind: "tar"; readonly path: string };

export interface ImagePlan {
  /** `registry/name:tag`; several tags of one content are several references. */
  readonly refs: readonly string[];
  /** By name, from the bottom. */
  readonly layers: readonly string[];
  readonly config: ImageConfig;
}

/** Images and the layers that they share. */
export interface ImagesPlan {
  readonly layers: Readonly<Record<string, LayerPlan>>;
  readonly images: readonly ImagePlan[];
}
