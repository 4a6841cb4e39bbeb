import type { DeepReadonly } from "@coxswain/api";
import type { Container, ContainerPort } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, type FieldPath, required } from "@coxswain/apimachinery/field";
import { checkPortName, checkPortNumber } from "@coxswain/apimachinery/validation";
import { checkRequiredOneOf, problemsAt } from "../../checks/field-errors.js";

const protocols = ["SCTP", "TCP", "UDP"];

export function checkPorts(ports: readonly DeepReadonly<ContainerPort>[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, { name = "", containerPort, hostPort = 0, protocol }] of ports.entries()) {
    const at = path.index(i);
    if (name !== "") append(errors, checkOwnName(name, names, at.child("name")));
    if (containerPort === 0) errors.push(required(at.child("containerPort")));
    else append(errors, problemsAt(at.child("containerPort"), containerPort, checkPortNumber(containerPort)));
    if (hostPort !== 0) append(errors, problemsAt(at.child("hostPort"), hostPort, checkPortNumber(hostPort)));
    append(errors, checkRequiredOneOf(protocol, protocols, at.child("protocol")));
  }
  return errors;
}

function checkOwnName(name: string, names: Set<string>, path: FieldPath): readonly FieldError[] {
  const problems = checkPortName(name);
  if (problems.length > 0) return problemsAt(path, name, problems);
  if (names.has(name)) return [duplicate(path, name)];
  names.add(name);
  return [];
}

/** Containers that run at the same time cannot share a port of the host. */
export function checkHostPorts(
  containers: readonly DeepReadonly<Pick<Container, "ports">>[],
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const taken = new Set<string>();
  for (const [c, { ports = [] }] of containers.entries()) {
    for (const [p, { hostPort = 0, hostIP = "", protocol = "" }] of ports.entries()) {
      if (hostPort === 0) continue;
      const socket = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(socket)) errors.push(duplicate(path.index(c).child("ports").index(p).child("hostPort"), socket));
      taken.add(socket);
    }
  }
  return errors;
}
