import { badRequest } from "@coxswain/apimachinery/status";
import type { StoredPod } from "@coxswain/kinds/core/pod";

/** The container that was asked for, or the only one there is. @throws StatusError 400 */
export function chooseContainer(asked: string, { metadata, spec }: StoredPod): string {
  const names = [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])].map(
    ({ name }) => name,
  );
  if (asked !== "") {
    if (!names.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${metadata.name}`);
    return asked;
  }
  const [only, ...others] = spec.containers;
  if (!only) throw badRequest(`a container name must be specified for pod ${metadata.name}`);
  if (others.length > 0)
    throw badRequest(
      `a container name must be specified for pod ${metadata.name}, choose one of: [${names.join(" ")}]`,
    );
  return only.name;
}
