import { badRequest, isNotFound, notFound } from "@coxswain/apimachinery/status";
import { bytesOf } from "../../cache/cache-entry.js";
import { encodedObject } from "../../cache/encoded-object.js";
import { selects } from "../../cache/selection.js";
import { resourceOf } from "../../catalogue/resource-of.js";
import { handleCreate } from "../../endpoints/create.js";
import { handleDelete } from "../../endpoints/delete.js";
import { readDeleteOptions } from "../../endpoints/delete-options.js";
import { readListOptions } from "../../endpoints/list-options.js";
import { handlePatch } from "../../endpoints/patch.js";
import { checkPathNamespace } from "../../endpoints/path-name.js";
import { handleUpdate } from "../../endpoints/update.js";
import type { VerbHandler } from "../../endpoints/verb-handler.js";
import { deletionWrite } from "../../endpoints/write-options.js";
import { writeScope } from "../../endpoints/write-scope.js";
import { deleteObject } from "../../objects/delete.js";
import type { RequestContext } from "../../request/request-context.js";
import { oneObjectDeps } from "./one-object-deps.js";
import type { ResourceStorage, StorageRequest } from "./resource-storage.js";
import { storageEntry } from "./storage-entry.js";
import { storageWatch } from "./storage-watch.js";

/** The verbs of a resource whose objects a storage has. */
export function storageHandlers(storage: ResourceStorage): Readonly<Record<string, VerbHandler>> {
  const written =
    (handler: VerbHandler): VerbHandler =>
    async (deps, context, target) => {
      const { kind, namespace, name } = target;
      const one = { kind, storage, key: { namespace, name }, request: requestOf(context) };
      return handler(await oneObjectDeps(deps, one), context, target);
    };
  return {
    get: getFrom(storage),
    list: listFrom(storage),
    watch: storageWatch(storage),
    create: written(handleCreate),
    update: written(handleUpdate),
    patch: written(handlePatch),
    delete: written(handleDelete),
    deletecollection: deleteAll(storage),
  };
}

/** In discovery's words. */
export const verbsOf = (storage: ResourceStorage): string[] => [
  "get",
  "list",
  ...(storage.watch ? ["watch"] : []),
  ...(storage.create ? ["create"] : []),
  ...(storage.update ? ["update", "patch"] : []),
  ...(storage.delete ? ["delete", "deletecollection"] : []),
];

export const requestOf = ({ user, signal }: RequestContext): StorageRequest => ({ user, signal });

const getFrom =
  (storage: ResourceStorage): VerbHandler =>
  async (_, context, { kind, version, namespace, name }) => {
    const object = await storage.get({ namespace, name }, requestOf(context));
    if (!object) throw notFound(resourceOf(version ?? kind), name);
    return { as: "object", code: 200, kind, object: encodedObject(bytesOf(storageEntry(kind, object))) };
  };

const listFrom =
  (storage: ResourceStorage): VerbHandler =>
  async (_, context, { kind, version }) => {
    const { selection, limit, continueToken, resourceVersion } = readListOptions(context, version ?? kind);
    if (continueToken !== "" && resourceVersion !== "" && resourceVersion !== "0")
      throw badRequest("specifying resource version is not allowed when using continue");
    const { namespace, name } = selection;
    const page = await storage.list({ namespace, name, limit, continue: continueToken }, requestOf(context));
    const entries = page.items.map((item) => storageEntry(kind, item)).filter((entry) => selects(selection, entry));
    return {
      as: "list",
      kind,
      entries,
      resourceVersion: page.resourceVersion,
      ...(page.continue && { continueToken: page.continue }),
      ...(page.remainingItemCount !== undefined && { remainingItemCount: page.remainingItemCount }),
    };
  };

/** One after the other: not one transaction, an error leaves the rest. */
const deleteAll =
  (storage: ResourceStorage): VerbHandler =>
  async (deps, context, target) => {
    checkPathNamespace(target);
    const options = await readDeleteOptions(deps, context);
    const list = await listFrom(storage)(deps, context, target);
    if (list.as !== "list") return list;
    for (const { namespace, name } of list.entries) {
      const one = { kind: target.kind, storage, key: { namespace, name }, request: requestOf(context) };
      const scope = writeScope(context, { ...target, namespace, name }, deletionWrite(options));
      try {
        await deleteObject(await oneObjectDeps(deps, one), scope, options);
      } catch (err) {
        if (!isNotFound(err)) throw err; // somebody else was faster: that is what was wanted
      }
    }
    return list;
  };
