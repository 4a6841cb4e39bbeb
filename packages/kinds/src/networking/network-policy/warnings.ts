import type { DeepReadonly } from "@coxswain/api";
import { cidrWarnings } from "@coxswain/apimachinery/validation";
import { ipBlocks } from "./ip-blocks.js";
import type { StoredNetworkPolicy } from "./stored.js";

export const networkPolicyWarnings = (policy: DeepReadonly<StoredNetworkPolicy>): string[] =>
  ipBlocks(policy).flatMap(({ block: { cidr, except = [] }, path }) => [
    ...cidrWarnings(cidr, path.child("cidr")),
    ...except.flatMap((range, at) => cidrWarnings(range, path.child("except").index(at))),
  ]);
