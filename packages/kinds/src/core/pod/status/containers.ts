import type { DeepReadonly } from "@coxswain/api";
import type { Container, ContainerStatus, LinuxContainerUser, ResourceStatus } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  namedText,
  required,
  tooLong,
} from "@coxswain/apimachinery/field";
import { ownKeys } from "@coxswain/apimachinery/own";
import { checkGroupId, checkUserId, utf8Length } from "@coxswain/apimachinery/validation";
import { checkOneOf, problemsAt } from "../../../checks/field-errors.js";

type Statuses = readonly DeepReadonly<ContainerStatus>[];

const longestHealthMessage = 1024;
const longestImageReference = 256;

export function checkContainerUsers(statuses: Statuses, path: FieldPath, os: string): FieldError[] {
  return statuses.flatMap(({ user }, i) => {
    if (!user?.linux) return [];
    const at = path.index(i).child("user").child("linux");
    if (os === "windows") return [forbidden(at, "cannot be set for a windows pod")];
    return os === "linux" ? checkLinuxUser(user.linux, at) : [];
  });
}

const checkLinuxUser = (
  { uid, gid, supplementalGroups = [] }: DeepReadonly<LinuxContainerUser>,
  path: FieldPath,
): FieldError[] => [
  ...problemsAt(path.child("uid"), uid, checkUserId(uid)),
  ...problemsAt(path.child("gid"), gid, checkGroupId(gid)),
  ...supplementalGroups.flatMap((group, i) =>
    problemsAt(path.child("supplementalGroups").index(i), group, checkGroupId(group)),
  ),
];

/** `containers` undefined: this kind of container is allocated nothing. */
export function checkAllocatedResources(
  statuses: Statuses,
  path: FieldPath,
  containers: readonly DeepReadonly<Container>[] | undefined,
): FieldError[] {
  return statuses.flatMap(({ name, allocatedResourcesStatus = [] }, i) => {
    if (allocatedResourcesStatus.length === 0) return [];
    const at = path.index(i).child("allocatedResourcesStatus");
    if (!containers) return [forbidden(at, "must not be specified in container status")];
    const container = containers.find((candidate) => candidate.name === name);
    return allocatedResourcesStatus.flatMap((resource, j) => [
      ...(container ? checkAsked(container, resource.name, at.index(j)) : []),
      ...checkHealth(resource, at.index(j)),
    ]);
  });
}

function checkAsked({ resources }: DeepReadonly<Container>, name: string, path: FieldPath): FieldError[] {
  const isClaim = name.startsWith("claim:");
  const asked = isClaim
    ? (resources?.claims ?? []).map(({ name, request }) => `claim:${name}${request ? `/${request}` : ""}`)
    : ownKeys(resources?.requests);
  if (asked.includes(name)) return [];
  const why = isClaim
    ? "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
    : "must match one of the container's resource requests";
  return [invalid(path.child("name"), namedText(name), why)];
}

function checkHealth({ resources = [] }: DeepReadonly<ResourceStatus>, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [k, { resourceID, health = "", message }] of resources.entries()) {
    const at = path.child("resources").index(k);
    append(errors, checkOneOf(health, ["Healthy", "Unhealthy", "Unknown"], at.child("health")));
    if (message === "") errors.push(required(at.child("message"), "must be non-empty if specified"));
    else if (message !== undefined && utf8Length(message) > longestHealthMessage)
      errors.push(tooLong(at.child("message"), longestHealthMessage));
    if (seen.has(resourceID)) errors.push(duplicate(at.child("resourceID"), namedText(resourceID)));
    seen.add(resourceID);
  }
  return errors;
}

/** The digest of the image that an image volume holds. */
export function checkVolumeStatuses(statuses: Statuses, path: FieldPath): FieldError[] {
  return statuses.flatMap(({ volumeMounts = [] }, i) =>
    volumeMounts.flatMap(({ volumeStatus }, j) => {
      if (!volumeStatus?.image) return [];
      const { imageRef = "" } = volumeStatus.image;
      const at = path.index(i).child("volumeMounts").index(j).child("volumeStatus", "imageVolumeStatus", "imageRef");
      if (imageRef === "") return [required(at, "imageRef must not be empty")];
      return utf8Length(imageRef) > longestImageReference ? [tooLong(at, longestImageReference)] : [];
    }),
  );
}
