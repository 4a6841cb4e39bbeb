import type { DeepReadonly } from "@coxswain/api";
import type { Namespace, ServiceAccount } from "@coxswain/api/core/v1";

/** The accounts that every namespace has. */
export const standardAccounts: readonly string[] = ["default"];

/** Pure: which of them a namespace lacks. A namespace that is going away gets none. */
export function planAccounts(
  namespace: DeepReadonly<Namespace> | undefined,
  has: (name: string) => DeepReadonly<ServiceAccount> | undefined,
): readonly string[] {
  if (!namespace || namespace.status?.phase !== "Active") return [];
  return standardAccounts.filter((name) => !has(name));
}
