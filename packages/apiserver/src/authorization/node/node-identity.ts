import type { UserInfo } from "../../request/user-info.js";

const prefix = "system:node:";

/** The name of a kubelet's node ("": it names none); undefined: the user is no node. */
export function nodeOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(prefix) && groups.includes("system:nodes") ? name.slice(prefix.length) : undefined;
}
