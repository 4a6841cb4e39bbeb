import type { DeepReadonly } from "@coxswain/api";
import type { Container, EphemeralContainer } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, type FieldPath, forbidden, notFound } from "@coxswain/apimachinery/field";
import { wasGivenEmpty } from "@coxswain/apimachinery/json";
import type { SpecFacts } from "../spec-facts.js";
import { checkContainer, checkImageOfPod } from "./container.js";

/** In the order of Go's type. Nothing that a workload would rely on. */
const forbiddenMembers = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const;

const why = "cannot be set for an Ephemeral Container";

export interface Neighbours {
  /** Regular and init containers. */
  readonly others: readonly DeepReadonly<Container>[];
  readonly facts: SpecFacts;
}

export function checkEphemeralContainers(
  containers: readonly DeepReadonly<EphemeralContainer>[],
  path: FieldPath,
  { others, facts }: Neighbours,
): FieldError[] {
  const errors: FieldError[] = [];
  const targets = new Set(others.map(({ name }) => name));
  const names = new Set(targets);
  for (const [i, container] of containers.entries()) {
    const at = path.index(i);
    const { name, targetContainerName = "" } = container;
    append(errors, [...checkContainer(container, at, facts), ...checkImageOfPod(container, at)]);
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    names.add(name);
    if (targetContainerName !== "" && !targets.has(targetContainerName))
      errors.push(notFound(at.child("targetContainerName"), targetContainerName));
    for (const member of forbiddenMembers) if (isSet(container, member)) errors.push(forbidden(at.child(member), why));
    for (const [j, { subPath = "", subPathExpr = "" }] of (container.volumeMounts ?? []).entries()) {
      const mount = at.child("volumeMounts").index(j);
      if (subPath !== "") errors.push(forbidden(mount.child("subPath"), why));
      if (subPathExpr !== "") errors.push(forbidden(mount.child("subPathExpr"), why));
    }
  }
  return errors;
}

/** An empty list is set. `resources` is a struct in Go: there is always one, and an empty one counts as unset. */
const isSet = (container: DeepReadonly<EphemeralContainer>, member: (typeof forbiddenMembers)[number]): boolean =>
  member === "resources"
    ? isNonEmpty(container.resources ?? {})
    : container[member] !== undefined || wasGivenEmpty(container, member);

const isNonEmpty = (resources: object): boolean =>
  Object.keys(resources).length > 0 || ["limits", "requests", "claims"].some((name) => wasGivenEmpty(resources, name));
