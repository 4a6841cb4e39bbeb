import type { DeepReadonly } from "@coxswain/api";
import type { Container } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  namedText,
  required,
} from "@coxswain/apimachinery/field";
import type { SpecFacts } from "../spec-facts.js";
import { isSidecar } from "../visit-containers.js";
import { checkContainer } from "./container.js";
import { checkLifecycle } from "./lifecycle.js";
import { checkHostPorts } from "./ports.js";
import { checkProbes } from "./probes.js";
import { checkInitRestartPolicy, checkRestartPolicy } from "./restart-policy.js";

type Containers = readonly DeepReadonly<Container>[];

export function checkContainers(containers: Containers, path: FieldPath, facts: SpecFacts): FieldError[] {
  if (containers.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, container] of containers.entries()) {
    const at = path.index(i);
    append(errors, checkContainer(container, at, facts));
    if (names.has(container.name)) errors.push(duplicate(at.child("name"), container.name));
    names.add(container.name);
    append(errors, [...checkLife(container, at, facts), ...checkRestartPolicy(container, at, facts.rules)]);
  }
  return [...errors, ...checkHostPorts(containers, path)];
}

const checkLife = (container: DeepReadonly<Container>, path: FieldPath, facts: SpecFacts): FieldError[] => [
  ...(container.lifecycle ? checkLifecycle(container.lifecycle, path.child("lifecycle"), facts) : []),
  ...checkProbes(container, path, facts),
];

/** A name must differ from those of the regular containers too. */
export function checkInitContainers(
  containers: Containers,
  path: FieldPath,
  { regular, facts }: { regular: Containers; facts: SpecFacts },
): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set(regular.map(({ name }) => name));
  for (const [i, container] of containers.entries()) {
    const at = path.index(i);
    const { name, resizePolicy = [] } = container;
    append(errors, [...checkContainer(container, at, facts), ...checkInitRestartPolicy(container, at, facts.rules)]);
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    else if (name !== "") names.add(name);
    // One by one, since they run one by one; upstream therefore always reports the index 0.
    append(errors, checkHostPorts([container], path));
    if (isSidecar(container)) {
      append(errors, checkLife(container, at, facts));
      continue;
    }
    for (const member of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const) {
      if (container[member])
        errors.push(forbidden(at.child(member), "may not be set for init containers without restartPolicy=Always"));
    }
    if (facts.rules.restartingInitContainerResize) continue;
    for (const [j, { restartPolicy }] of resizePolicy.entries()) {
      if (restartPolicy !== "RestartContainer") continue;
      errors.push(
        invalid(
          at.child("resizePolicy").index(j).child("restartPolicy"),
          namedText(restartPolicy),
          "must not be set to 'RestartContainer' for non-sidecar initContainers",
        ),
      );
    }
  }
  return errors;
}
