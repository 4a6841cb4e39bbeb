import type { DeepReadonly } from "@coxswain/api";
import type { Container } from "@coxswain/api/core/v1";
import type { StoredPod } from "@coxswain/kinds/core/pod";

type Pod = DeepReadonly<StoredPod>;
type Containers = readonly DeepReadonly<Pick<Container, "name" | "image">>[];

/** Whether other programs run in the pod than before. All else that may change has nothing to do with what they may do. */
export function isSignificantUpdate({ spec }: Pod, { spec: old }: Pod): boolean {
  const changed = (next: Containers, before: Containers): boolean =>
    next.length !== before.length || next.some(({ image }, i) => image !== before[i]?.image);
  const ephemeral = old.ephemeralContainers ?? [];
  return (
    changed(spec.containers, old.containers) ||
    changed(spec.initContainers ?? [], old.initContainers ?? []) ||
    (spec.ephemeralContainers ?? []).some(({ name, image }) => {
      const before = ephemeral.find((each) => each.name === name);
      return !before || before.image !== image;
    })
  );
}
