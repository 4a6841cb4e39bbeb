import type { UserInfo } from "@coxswain/apiserver";
import {
  controllerManagerUser,
  dnsUser,
  nodeUser,
  schedulerUser,
  serviceAccountUser,
  simulatedNodesUser,
} from "../users/component-users.js";

/** What runs in a process of its own beside the API server. */
export type PartName = "nodes" | "control";
export const partNames: readonly PartName[] = ["nodes", "control"];

const accounts = serviceAccountUser("").name;
const nodes = nodeUser("").name;

/**
 * Pure: the user of a name, if the part may be it: the same one, with the same groups, as where all parts are one process. Undefined: it
 * may not. `isNode`: whether a simulated node has that name.
 */
export function userOfPart(part: PartName, name: string, isNode: (name: string) => boolean): UserInfo | undefined {
  switch (part) {
    case "nodes":
      if (name.startsWith(nodes) && isNode(name.slice(nodes.length))) return nodeUser(name.slice(nodes.length));
      return [simulatedNodesUser, dnsUser].find((user) => user.name === name);
    case "control":
      if (name.startsWith(accounts) && isAccountName(name.slice(accounts.length)))
        return serviceAccountUser(name.slice(accounts.length));
      return [controllerManagerUser, schedulerUser].find((user) => user.name === name);
  }
}

const isAccountName = (name: string): boolean => /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name);
