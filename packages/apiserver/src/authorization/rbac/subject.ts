import type { DeepReadonly } from "@coxswain/api";
import type { Subject } from "@coxswain/api/rbac/v1";

export function describeSubject({ kind, name, namespace }: DeepReadonly<Subject>, bindingNamespace: string): string {
  return kind === "ServiceAccount"
    ? `${kind} ${JSON.stringify(`${name}/${namespace || bindingNamespace}`)}`
    : `${kind} ${JSON.stringify(name)}`;
}
