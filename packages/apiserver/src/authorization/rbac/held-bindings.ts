import type { DeepReadonly } from "@coxswain/api";
import type { ClusterRoleBinding, RoleBinding, RoleRef, Subject } from "@coxswain/api/rbac/v1";
import type { Lister } from "../../cache/lister.js";
import type { UserInfo } from "../../request/user-info.js";

export type Binding = DeepReadonly<ClusterRoleBinding | RoleBinding>;

/** A Role is in the namespace of the binding. */
export const roleKey = ({ kind, name }: DeepReadonly<RoleRef>, namespace: string): string =>
  kind === "Role" ? `/registry/roles/${namespace}/${name}` : `/registry/clusterroles/${name}`;

/** A binding that names a user, and by which of its subjects. */
export interface HeldBinding {
  readonly binding: Binding;
  readonly subject: DeepReadonly<Subject>;
  /** The binding's; "" for a cluster-wide one. */
  readonly namespace: string;
  /** Where its role stands in the store. */
  readonly roleKey: string;
}

/** A subject of a binding, and which one it is of all the subjects. */
interface Place {
  readonly at: number;
  readonly held: HeldBinding;
}

/** Whether a subject names the user; a service account without a namespace is in the binding's. */
export function isSubject(subject: DeepReadonly<Subject>, { name, groups }: UserInfo, namespace: string): boolean {
  switch (subject.kind) {
    case "User":
      return subject.name === name;
    case "Group":
      return groups.includes(subject.name);
    default:
      return name === `system:serviceaccount:${subject.namespace || namespace}:${subject.name}`;
  }
}

/** Bindings are looked up by subject: a user has few, a cluster many. Made anew when one of them has changed. */
const indexes = new WeakMap<object, Map<string, SubjectIndex>>();

/** Those of a namespace ("": cluster-wide ones) that name the user, in order of their keys. */
export function heldBindings(
  lister: Lister<ClusterRoleBinding> | Lister<RoleBinding>,
  namespace: string,
  user: UserInfo,
): readonly HeldBinding[] {
  const state = lister.state();
  let known = indexes.get(state);
  if (!known) indexes.set(state, (known = new Map()));
  let index = known.get(namespace);
  if (!index)
    known.set(
      namespace,
      (index = new SubjectIndex(
        lister.list(namespace === "" ? "/registry/clusterrolebindings/" : `/registry/rolebindings/${namespace}/`),
        namespace,
      )),
    );
  return index.of(user);
}

class SubjectIndex {
  readonly #byUser = new Map<string, Place[]>();
  readonly #byGroup = new Map<string, Place[]>();
  /** Users are mostly the same object from request to request. */
  readonly #known = new WeakMap<UserInfo, readonly HeldBinding[]>();

  constructor(bindings: Iterable<Binding>, namespace: string) {
    let at = 0;
    for (const binding of bindings) {
      const key = roleKey(binding.roleRef, namespace);
      for (const subject of binding.subjects ?? [])
        this.#add({ at: at++, held: { binding, subject, namespace, roleKey: key } });
    }
  }

  of(user: UserInfo): readonly HeldBinding[] {
    let held = this.#known.get(user);
    if (!held) this.#known.set(user, (held = this.#find(user)));
    return held;
  }

  #find({ name, groups }: UserInfo): readonly HeldBinding[] {
    const places: Place[] = [...(this.#byUser.get(name) ?? [])];
    for (const group of groups) for (const place of this.#byGroup.get(group) ?? []) places.push(place);
    places.sort((a, b) => a.at - b.at);
    // The first subject of a binding that names the user counts.
    return places.filter(({ held }, at) => held.binding !== places[at - 1]?.held.binding).map(({ held }) => held);
  }

  #add(place: Place): void {
    const { subject, namespace } = place.held;
    switch (subject.kind) {
      case "User":
        return put(this.#byUser, subject.name, place);
      case "Group":
        return put(this.#byGroup, subject.name, place);
      case "ServiceAccount": {
        // One without a namespace is in the binding's.
        const home = subject.namespace || namespace;
        if (home !== "") put(this.#byUser, `system:serviceaccount:${home}:${subject.name}`, place);
      }
    }
  }
}

function put(places: Map<string, Place[]>, name: string, place: Place): void {
  const there = places.get(name);
  if (there) there.push(place);
  else places.set(name, [place]);
}
