import type { Node } from "../pod/objects.js";

/** An image somewhere in the cluster. */
export interface ImageState {
  /** In bytes, as the first node with the image reported it. */
  readonly size: number;
  /** How many nodes have it. */
  readonly nodeCount: number;
}

/** Counts on how many nodes each image is. */
export interface ImageStates {
  /** The images of a node, which it has from now on. */
  add(node: Node): ReadonlyMap<string, ImageState>;
  remove(node: Node): void;
}

interface CountedImage extends ImageState {
  nodeCount: number;
  readonly nodes: Set<string>;
}

export function createImageStates(): ImageStates {
  const images = new Map<string, CountedImage>();
  return {
    add(node) {
      const own = new Map<string, ImageState>();
      const nodeName = node.metadata?.name ?? "";
      for (const { names, sizeBytes } of node.status?.images ?? [])
        for (const name of names ?? []) {
          let image = images.get(name);
          if (image === undefined) {
            image = { size: sizeBytes ?? 0, nodeCount: 0, nodes: new Set() };
            images.set(name, image);
          }
          image.nodes.add(nodeName);
          image.nodeCount = image.nodes.size;
          own.set(name, image);
        }
      return own;
    },
    remove(node) {
      const nodeName = node.metadata?.name ?? "";
      for (const { names } of node.status?.images ?? [])
        for (const name of names ?? []) {
          const image = images.get(name);
          if (!image?.nodes.delete(nodeName)) continue;
          image.nodeCount = image.nodes.size;
          if (image.nodeCount === 0) images.delete(name);
        }
    },
  };
}
