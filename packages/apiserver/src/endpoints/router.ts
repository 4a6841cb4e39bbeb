import type { AnyKind } from "@coxswain/kinds";
import type { Handler } from "../filters/filter.js";
import { handleCreate } from "./create.js";
import { handleDelete } from "./delete.js";
import { handleDeleteCollection } from "./delete-collection.js";
import { handleGet } from "./get.js";
import type { HandlerDeps } from "./handler-deps.js";
import { handleList } from "./list.js";
import type { PathSource } from "./paths/path-source.js";
import { handlePatch } from "./patch.js";
import type { RequestContext } from "./request-context.js";
import type { RequestInfo } from "./request-info.js";
import { chooseForm } from "./respond/choose-form.js";
import { checkMedia } from "./route-media.js";
import { methodNotAllowed, notServedYet, pageNotFound, resourceNotFound } from "./router-errors.js";
import type { Target } from "./target.js";
import { specialHandler } from "../registry/special-handlers.js";
import { handleUpdate } from "./update.js";
import type { VerbHandler } from "./verb-handler.js";
import { handleWatch } from "./watch.js";

/** What can be done to an object. */
const objectVerbs: Readonly<Record<string, VerbHandler>> = {
  get: handleGet,
  list: handleList,
  watch: handleWatch,
  create: handleCreate,
  update: handleUpdate,
  patch: handlePatch,
  delete: handleDelete,
  deletecollection: handleDeleteCollection,
};

/** What can be done to a view of it. */
const viewVerbs: Readonly<Record<string, VerbHandler>> = { get: handleGet, update: handleUpdate, patch: handlePatch };

/** Where the kinds of a group-version are looked up: built-in ones, then custom ones. */
export interface KindSource {
  find(group: string, version: string, resource: string): AnyKind | undefined;
  hasGroup(group: string): boolean;
  /** The verbs of a resource or of one of its subresources; undefined: there is none. */
  verbs(kind: AnyKind, subresource: string): readonly string[] | undefined;
}


export function createRouter(deps: HandlerDeps, kinds: KindSource, paths: PathSource): Handler {
  return async (context) => {
    if (!context.info.isResource) return (await paths(context)) ?? pageNotFound();
    const { info } = context;
    if (!kinds.hasGroup(info.group)) return pageNotFound();
    const target = findTarget(kinds, context);
    const special = specialHandler(info.group, info.resource, info.subresource, info.verb);
    const handler = special ?? (target.view === "" ? objectVerbs : viewVerbs)[info.verb];
    const verbs = kinds.verbs(target.kind, target.view) ?? [];
    // Upstream's routes know no HEAD.
    if (!verbs.includes(info.verb) || !(special || fitsPath(info, target)) || context.request.method === "HEAD") throw methodNotAllowed();
    if (!handler || (!special && target.view !== "" && !Object.hasOwn(target.kind.views, target.view))) throw notServedYet(info);
    checkMedia(context);
    const form = chooseForm(context, deps.clock);
    context.form = form instanceof Promise ? await form : form;
    return handler(deps, context, target);
  };
}

function findTarget(kinds: KindSource, { info }: RequestContext): Target {
  const kind = kinds.find(info.group, info.version, info.resource);
  if (!kind || !kinds.verbs(kind, info.subresource)) throw resourceNotFound();
  const inNamespace = info.namespace !== "" && info.resource !== "namespaces";
  // A namespaced object is only reached through its namespace; a cluster-wide one never is.
  if (inNamespace ? !kind.namespaced : kind.namespaced && info.name !== "") throw resourceNotFound();
  return { kind, view: info.subresource, namespace: kind.namespaced ? info.namespace : "", name: info.name };
}

/** Creating needs a path without a name, in a namespace where there are any; so does deleting a collection. Changing needs a name. */
function fitsPath({ verb, name }: RequestInfo, { kind, namespace }: Target): boolean {
  if (verb === "create" || verb === "deletecollection") return name === "" && (!kind.namespaced || namespace !== "");
  return verb === "list" || verb === "watch" || name !== "";
}
