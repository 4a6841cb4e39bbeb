import type { DeepReadonly } from "@coxswain/api";
import type { Subject } from "@coxswain/api/rbac/v1";
import type { UserInfo } from "../../server/user-info.js";

/** `namespace` is the binding's, "" for a cluster-wide one: a service account without a namespace is in it. */
export function subjectApplies(subject: DeepReadonly<Subject>, user: UserInfo, namespace: string): boolean {
  switch (subject.kind) {
    case "User":
      return user.name === subject.name;
    case "Group":
      return user.groups.includes(subject.name);
    case "ServiceAccount": {
      const home = subject.namespace || namespace;
      return home !== "" && user.name === `system:serviceaccount:${home}:${subject.name}`;
    }
    default:
      return false;
  }
}

export function describeSubject({ kind, name, namespace }: DeepReadonly<Subject>, bindingNamespace: string): string {
  return kind === "ServiceAccount" ? `${kind} ${JSON.stringify(`${name}/${namespace || bindingNamespace}`)}` : `${kind} ${JSON.stringify(name)}`;
}
