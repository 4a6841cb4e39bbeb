import type { DeepReadonly } from "@coxswain/api";
import type { Container, EphemeralContainer, PodSpec } from "@coxswain/api/core/v1";
import { childOf, type FieldPath } from "@coxswain/apimachinery/field";

export type AnyContainer = DeepReadonly<Container> | DeepReadonly<EphemeralContainer>;

const lists = ["initContainers", "containers", "ephemeralContainers"] as const;

/** Every container with its path, in the order in which upstream looks at them: init containers come first. */
export function* containersOf(
  spec: DeepReadonly<PodSpec>,
  specPath?: FieldPath,
): Generator<{ container: AnyContainer; path: FieldPath }> {
  for (const list of lists) {
    const containers: readonly AnyContainer[] = spec[list] ?? [];
    if (containers.length === 0) continue;
    const path = childOf(specPath, list);
    for (const [i, container] of containers.entries()) yield { container, path: path.index(i) };
  }
}

/** Without paths, which cost more than the containers. */
export const everyContainer = ({
  initContainers = [],
  containers,
  ephemeralContainers = [],
}: DeepReadonly<PodSpec>): readonly AnyContainer[] => [
  ...initContainers,
  ...(containers ?? []),
  ...ephemeralContainers,
];

export const isSidecar = ({ restartPolicy }: AnyContainer): boolean => restartPolicy === "Always";
