import type { Chronicle } from "@coxswain/storage/chronicle";
import type { Authorizer } from "../../authorization/attributes.js";
import { registryPrefix } from "../../cache/registry-prefix.js";
import type { UserInfo } from "../../request/user-info.js";
import type { KeyOwner } from "../contract/key-owners.js";
import type { Change, ChangeCause } from "./change.js";
import { historyGroup, historyVersion } from "./history-group.js";

export interface Reader {
  readonly user: UserInfo;
  /** What the user must be allowed to do with the object's own resource. */
  readonly verb: "get" | "list" | "watch";
}

/**
 * Who may see a change: who may do the same with the object itself today. What was in a namespace before its present life may be
 * somebody else's: that needs the right in all namespaces. Decisions are asked once for each resource and namespace.
 */
export function readableChanges(
  { authorizer, chronicle }: { readonly authorizer: Authorizer; readonly chronicle: Chronicle },
  { user, verb }: Reader,
): (owner: KeyOwner, revision: number) => Promise<boolean> {
  const decisions = new Map<string, Promise<boolean>>();
  const lives = new Map<string, Promise<number>>();
  const may = (owner: KeyOwner, namespace: string): Promise<boolean> => {
    const { group, version, resource } = owner;
    // A name counts only where one object is asked for.
    const name = verb === "get" ? owner.name : "";
    const asked = `${group} ${resource} ${namespace} ${name}`;
    let decision = decisions.get(asked);
    if (!decision) decisions.set(asked, (decision = allows({ group, version, resource, namespace, name })));
    return decision;
  };
  async function allows(of: Omit<KeyOwner, "kind">): Promise<boolean> {
    const { decision } = await authorizer({ ...of, user, verb, isResource: true, path: "", subresource: "" });
    return decision === "allow";
  }
  const beginOf = (namespace: string): Promise<number> => {
    let life = lives.get(namespace);
    if (!life) lives.set(namespace, (life = presentLife(chronicle, namespace)));
    return life;
  };
  return async (owner, revision) => {
    if (owner.namespace === "") return may(owner, "");
    if (await may(owner, "")) return true;
    return (await may(owner, owner.namespace)) && revision >= (await beginOf(owner.namespace));
  };
}

/** The revision at which a namespace was made; infinity: there is none now. */
export async function presentLife(chronicle: Chronicle, namespace: string): Promise<number> {
  const last = await chronicle.lastChange(`${registryPrefix}namespaces/${namespace}`, Number.MAX_SAFE_INTEGER);
  return last?.type === "put" ? last.createRevision : Number.POSITIVE_INFINITY;
}

/**
 * A controller works on several items at a time, of all namespaces. Where it is not known which of them made a change, those of other
 * namespaces are named only to who may list them all.
 */
export function readableCauses(authorizer: Authorizer, user: UserInfo): (change: Change) => Promise<Change> {
  let mayListAll: Promise<boolean> | undefined;
  async function ask(): Promise<boolean> {
    const of = { group: historyGroup, version: historyVersion, resource: "reconciles", subresource: "" };
    const attributes = { ...of, namespace: "", name: "", user, verb: "list", isResource: true, path: "" };
    return (await authorizer(attributes)).decision === "allow";
  }
  return async (change) => {
    const { namespace = "" } = change.object;
    const isElsewhere = ({ certainty, item }: ChangeCause): boolean =>
      certainty === "one-of" && (namespace === "" || !item.replace(/^[a-z]+:/, "").startsWith(`${namespace}/`));
    if (!change.causes.some(isElsewhere) || (await (mayListAll ??= ask()))) return change;
    return Object.assign({}, change, { causes: change.causes.filter((cause) => !isElsewhere(cause)) });
  };
}
