import { isNotFound } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { collectionPrefix } from "../../cache/object-key.js";
import { unreadableObjectError } from "../../cache/read-errors.js";
import { everything } from "../../cache/selection.js";
import { deleteObject } from "../../objects/delete.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { serverScope } from "../../objects/server-scope.js";

/**
 * Deletes every object of a kind. Some may stay until their finalizers are gone.
 * @returns whether none is left; else `onEmpty` is called when the last one goes, unless `signal` is aborted before
 */
export async function deleteInstances(
  deps: ObjectDeps,
  kind: AnyKind,
  { signal, onEmpty }: { readonly signal: AbortSignal; readonly onEmpty: () => void },
): Promise<boolean> {
  const cache = deps.feed.cacheOf(kind);
  for (const { namespace, name } of cache.snapshot().values({ prefix: collectionPrefix(kind, "") })) {
    signal.throwIfAborted();
    await deleteObject(deps, serverScope(kind, { namespace, name }), {}).catch((err: unknown) => {
      if (!isNotFound(err)) throw err; // somebody else was faster
    });
  }
  // One that cannot be read is there as well: the definition stays until somebody has seen to it.
  const [unreadable] = cache.unreadable.below("");
  if (unreadable) throw unreadableObjectError(unreadable, deps.gates);
  if (cache.snapshot().size === 0) return true;
  const watcher = cache.watch(
    everything,
    { after: cache.revision },
    {
      deliver() {
        if (cache.snapshot().size > 0) return undefined;
        watcher?.stop();
        onEmpty();
        return undefined;
      },
      bookmark: () => {},
      end: () => signal.removeEventListener("abort", stop),
    },
  );
  const stop = (): void => watcher?.stop();
  signal.addEventListener("abort", stop, { once: true });
  return false;
}
