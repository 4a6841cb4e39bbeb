import { isNotFound } from "@coxswain/apimachinery/status";
import { deleteObject } from "../objects/delete.js";
import type { Answer } from "../request/answer.js";
import type { RequestContext } from "../request/request-context.js";
import { readDeleteOptions } from "./delete-options.js";
import type { HandlerDeps } from "./handler-deps.js";
import { listObjects } from "./list.js";
import { readListOptions } from "./list-options.js";
import { checkPathNamespace } from "./path-name.js";
import type { Target } from "./target.js";
import { refuseUnsafeCollection } from "./unsafe-delete.js";
import { deletionWrite } from "./write-options.js";
import { writeScope } from "./write-scope.js";

/** Deletes what a list with the same query shows, and answers that list. Not one transaction: an error leaves the rest. */
export async function handleDeleteCollection(
  deps: HandlerDeps,
  context: RequestContext,
  target: Target,
): Promise<Answer> {
  checkPathNamespace(target);
  const listOptions = readListOptions(context, target.version ?? target.kind);
  const options = await readDeleteOptions(deps, context);
  refuseUnsafeCollection(options);
  const list = await listObjects(deps, context, target, listOptions);
  for (const warning of target.kind.warningsOnDelete?.(options) ?? []) context.warnings.push(warning);
  await inOrder(list.entries, async (entry) => {
    context.signal.throwIfAborted();
    const one = { ...target, namespace: entry.namespace, name: entry.name };
    const scope = writeScope(context, one, deletionWrite(options));
    try {
      await deleteObject(deps, scope, options);
    } catch (err) {
      if (!isNotFound(err)) throw err; // somebody else was faster: that is what was wanted
    }
  });
  return list;
}

/** Deletions under way at once become durable together; one by one each would wait for the disk. */
const atOnce = 16;

/** Begins with the items in their order; after an error nothing new is begun, and what is under way ends first. */
async function inOrder<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (next < items.length && errors.length === 0) {
      const item = items[next++] as T;
      try {
        await act(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
}
