import type { DeepReadonly } from "@coxswain/api";
import type { ContainerStatus, PodStatus } from "@coxswain/api/core/v1";

type Status = DeepReadonly<PodStatus>;

/**
 * Pure: why containers, or the whole pod, ended between two statuses, in words; undefined: nothing did. `kills`: what the kubelet killed
 * itself, by the container's id at the runtime, and why.
 */
export function endReason(before: Status, after: Status, kills: ReadonlyMap<string, string>): string | undefined {
  if (after.phase === "Failed" && before.phase !== "Failed" && after.message)
    return [after.reason, after.message].filter(Boolean).join(": ");
  const ended = endedContainers(before, after).map(
    (status) =>
      ends(status).flatMap(({ containerID = "" }) => kills.get(idOf(containerID)) ?? [])[0] ?? exitText(status),
  );
  return ended.length === 0 ? undefined : ended.join("; ");
}

/** Containers of which an end is known now that was not known before. */
export function endedContainers(before: Status, after: Status): DeepReadonly<ContainerStatus>[] {
  const all = (status: Status): DeepReadonly<ContainerStatus>[] => [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
  ];
  const known = new Set(all(before).flatMap((status) => ends(status).map(({ containerID }) => containerID)));
  return all(after).filter((status) => ends(status).some(({ containerID }) => !known.has(containerID)));
}

const ends = ({ state, lastState }: DeepReadonly<ContainerStatus>) =>
  [state?.terminated, lastState?.terminated].filter((each) => each !== undefined);

/** `containerd://id` */
const idOf = (containerID: string): string => containerID.slice(containerID.indexOf("://") + 3);

function exitText(status: DeepReadonly<ContainerStatus>): string {
  const [end] = ends(status);
  const reason = end?.reason && end.reason !== "Error" ? ` (${end.reason})` : "";
  return `Container ${status.name} ended with exit code ${end?.exitCode ?? 0}${reason}`;
}
