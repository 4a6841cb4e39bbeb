import type { ImageState } from "../../cache/image-states.js";
import { maxNodeScore, type Plugin } from "../../framework/plugin.js";
import type { Pod } from "../../pod/objects.js";

const mebibyte = 1024 * 1024;
/** Images below it together make no difference. */
const minThreshold = 23 * mebibyte;
/** Per container. */
const maxThreshold = 1000 * mebibyte;

/** Prefers nodes that have the pod's images, the larger ones more, but not so that all pods of one image meet on few nodes. */
export const createImageLocality = (): Plugin => ({
  name: "ImageLocality",
  preScore({ pod: { pod }, snapshot }) {
    const names = imageNames(pod);
    const containers = (pod.spec?.containers.length ?? 0) + (pod.spec?.initContainers?.length ?? 0);
    const nodeCount = snapshot.nodes.length;
    return {
      kind: "score",
      scorer: {
        score({ images }) {
          if (images.size === 0) return 0;
          let sum = 0;
          for (const name of names) {
            const image = images.get(name);
            if (image) sum += scaledSize(image, nodeCount);
          }
          return scoreOf(sum, containers);
        },
      },
    };
  },
});

function scoreOf(sum: number, containers: number): number {
  const largest = maxThreshold * containers;
  const size = Math.min(Math.max(sum, minThreshold), Math.max(largest, minThreshold));
  return Math.trunc((maxNodeScore * (size - minThreshold)) / (largest - minThreshold));
}

/** An image on all nodes counts in full, one on a single node hardly. */
const scaledSize = ({ size, nodeCount }: ImageState, allNodes: number): number =>
  Math.trunc(size * (nodeCount / allNodes));

const imageNames = (pod: Pod): readonly string[] => [
  ...(pod.spec?.initContainers ?? []).map(({ image }) => normalized(image ?? "")),
  ...(pod.spec?.containers ?? []).map(({ image }) => normalized(image ?? "")),
  ...(pod.spec?.volumes ?? []).flatMap(({ image }) => (image ? [normalized(image.reference ?? "")] : [])),
];

const normalized = (image: string): string =>
  image.lastIndexOf(":") <= image.lastIndexOf("/") ? `${image}:latest` : image;
