import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import type { PendingWrite } from "./pending-write.js";

/** Whether the user may write this into such an object; views are authorized in `validate`. */
export function authorizeWrite({ deps, storedScope: scope, object, current }: PendingWrite): Soon<void> {
  if (scope.view !== "" && current) return;
  return deps.authorizationOf?.(scope.kind)?.authorizeWrite?.({ object, old: current?.object, scope });
}

/** What is to be written together with the object. */
export function joinTransaction(write: PendingWrite): Soon<void> {
  const { deps, storedScope: scope, object, current } = write;
  if (scope.view !== "" && current) return;
  const transaction = deps.transactionOf?.(scope.kind);
  if (!transaction) return;
  const joining = current ? transaction.update(object, current.object, scope) : transaction.create(object, scope);
  return whenKnown(joining, (writes) => void (write.transaction = writes));
}
