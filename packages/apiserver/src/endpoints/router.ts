import { managedFieldsOptOutGate } from "@coxswain/api/feature-gates";
import { methodNotSupported, notFound } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import type { Clock } from "@coxswain/runtime/clock";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { runSteps } from "@coxswain/runtime/steps";
import type { Catalogue } from "../catalogue/catalogue.js";
import { resourceOf } from "../catalogue/resource-of.js";
import { isVersionKind } from "../catalogue/version-kind.js";
import type { Answer } from "../request/answer.js";
import type { Handler } from "../request/filter.js";
import type { Form } from "../request/form.js";
import type { RequestContext } from "../request/request-context.js";
import type { RequestInfo } from "../request/request-info.js";
import { handleCreate } from "./create.js";
import { handleDelete } from "./delete.js";
import { handleDeleteCollection } from "./delete-collection.js";
import { handleGet } from "./get.js";
import type { HandlerDeps } from "./handler-deps.js";
import { handleList } from "./list.js";
import { handlePatch } from "./patch.js";
import { checkPathName } from "./path-name.js";
import type { PathSource } from "./paths/path-source.js";
import type { RegisteredHandlers } from "./registered-handlers.js";
import { answerInVersion, isConverted } from "./respond/answer-in-version.js";
import { chooseForm } from "./respond/choose-form.js";
import { isWithoutProtobuf } from "./respond/without-protobuf.js";
import { checkMedia } from "./route-media.js";
import {
  methodNotAllowed,
  notServedYet,
  pageNotFound,
  resourceNotFound,
  unclearPath,
  watchNotSupported,
} from "./router-errors.js";
import type { Target } from "./target.js";
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

export interface RouterOptions<Deps extends HandlerDeps> {
  readonly deps: Deps;
  readonly catalogue: Catalogue;
  readonly handlers: RegisteredHandlers<Deps>;
  /** What is served at paths that lead to no resource. */
  readonly paths: PathSource;
}

export function createRouter<Deps extends HandlerDeps>({
  deps,
  catalogue,
  handlers,
  paths,
}: RouterOptions<Deps>): Handler {
  return (context) => {
    const { info } = context;
    if (info.isUnclear) return unclearPath(info);
    if (!info.isResource) return whenKnown(paths(context), orNotFound);
    // Authorization has read such a path as its resource, so that nobody gains by it; there is nothing at it all the same.
    if (info.path.startsWith("//")) return pageNotFound();
    const route = catalogue.resolve(info);
    if (route?.as === "delegate") return route.handle(context);
    if (!route && !catalogue.hasGroup(info.group)) return pageNotFound();
    if (route?.kind.facts.custom && !fitsScope(route.kind, info)) return pageNotFound();
    const target = findTarget(route?.kind, context);
    const connect = handlers.connect(info);
    if (connect) {
      checkPathName(target);
      return connect(deps, context, target);
    }
    const special = handlers.special(info, target.kind);
    const handler = special ?? (target.view === "" ? objectVerbs : viewVerbs)[info.verb];
    if (target.kind.facts.custom) return serveCustom(checkedCustom(handler, context, target), deps, context, target);
    const verbs = verbsOf(target.version ?? target.kind, target.view) ?? [];
    if (info.verb === "watch" && !verbs.includes("watch") && verbs.includes("list")) {
      warnOf(target, context);
      throw watchNotSupported(info.resource);
    }
    if (!verbs.includes(info.verb) || !(special || fitsPath(info, target)) || !fitsMethod(context))
      throw methodNotAllowed();
    if (!handler || (!special && target.view !== "" && !Object.hasOwn(target.kind.views, target.view)))
      throw notServedYet(info);
    context.isRouted = true;
    checkMedia(context);
    if (target.view === "") warnOf(target, context);
    return serve(handler, deps, context, target);
  };
}

function serve<Deps extends HandlerDeps>(
  handler: VerbHandler<Deps>,
  deps: Deps,
  context: RequestContext,
  target: Target,
): Soon<Answer> {
  if (context.info.verb !== "update") checkPathName(target); // an update looks at the name in the body first
  const form = chooseForm(context, deps.runtime.clock, {
    custom: isWithoutProtobuf(target.kind) && target.view !== "scale",
    canDrop: deps.gates.enabled(managedFieldsOptOutGate.name),
  });
  return form instanceof Promise
    ? handleLater(form, handler, deps, context, target)
    : handle(form, handler, deps, context, target);
}

/** What the definition asks for is worked out in steps, at the first request of its resource. */
function serveCustom<Deps extends HandlerDeps>(
  handler: VerbHandler<Deps>,
  deps: Deps,
  context: RequestContext,
  target: Target,
): Soon<Answer> {
  const prepare = target.kind.prepare?.();
  if (!prepare) return serve(handler, deps, context, target);
  return whenKnown(runSteps(context.scheduler, prepare, context), (addedBytes) => {
    context.addedBytes = addedBytes;
    return serve(handler, deps, context, target);
  });
}

/** Custom resources have no table of routes: what their handler lacks it refuses in its own way. Every request gets the warning of a deprecated version. */
function checkedCustom<Deps extends HandlerDeps>(
  handler: VerbHandler<Deps> | undefined,
  context: RequestContext,
  target: Target,
): VerbHandler<Deps> {
  const { info } = context;
  warnOf(target, context);
  if (!handler || !fitsPath(info, target)) throw methodNotSupported(resourceOf(target.kind), info.verb);
  context.isRouted = true;
  return handler;
}

/** A request within a namespace is for a namespaced kind, and one for all namespaces only lists and watches. */
const fitsScope = ({ namespaced }: AnyKind, { namespace, verb }: RequestInfo): boolean =>
  namespaced ? namespace !== "" || verb === "list" || verb === "watch" : namespace === "";

const handleLater = async <Deps extends HandlerDeps>(
  form: Promise<Form>,
  handler: VerbHandler<Deps>,
  deps: Deps,
  context: RequestContext,
  target: Target,
): Promise<Answer> => handle(await form, handler, deps, context, target);

function handle<Deps extends HandlerDeps>(
  form: Form,
  handler: VerbHandler<Deps>,
  deps: Deps,
  context: RequestContext,
  target: Target,
): Soon<Answer> {
  context.form = form;
  const answer = handler(deps, context, target);
  const requested = target.version ?? target.kind;
  return isConverted(requested, form) ? inVersion(answer, requested, context, deps.runtime.clock) : answer;
}

function inVersion(answer: Soon<Answer>, version: AnyKind, context: RequestContext, clock: Clock): Soon<Answer> {
  const { latencies, scheduler } = context;
  return whenKnown(answer, (known) =>
    latencies
      ? latencies.track("transform-response-object", clock, () => answerInVersion(known, version, scheduler))
      : answerInVersion(known, version, scheduler),
  );
}

/** Of a resource or of one of its subresources; undefined: there is none. */
const verbsOf = ({ facts }: AnyKind, subresource: string): readonly string[] | undefined =>
  subresource === "" ? facts.verbs : facts.subresources.find(({ name }) => name === subresource)?.verbs;

const orNotFound = (answer: Answer | undefined): Answer => answer ?? pageNotFound();

function warnOf({ kind, version }: Target, context: RequestContext): void {
  const { deprecation } = (version ?? kind).facts;
  if (!deprecation) return;
  context.warnings.push(deprecation.warning);
  context.annotate("k8s.io/deprecated", "true");
  if (deprecation.removedRelease !== undefined) context.annotate("k8s.io/removed-release", deprecation.removedRelease);
}

/** Upstream's routes know no HEAD, and the old paths with the verb in them are for GET alone. */
const fitsMethod = ({ request: { method }, info }: RequestContext): boolean =>
  method !== "HEAD" && (info.verb !== "watch" || method === "GET");

function findTarget(kind: AnyKind | undefined, { info }: RequestContext): Target {
  // Paths with the verb in them lead to objects only.
  if (info.verb === "proxy" || (info.verb === "watch" && info.parts.length > 2)) throw resourceNotFound();
  const verbs = kind && verbsOf(kind, info.subresource);
  if (kind?.facts.custom && !verbs) throw notFound(resourceOf(kind), info.name);
  if (!kind || !verbs || !fitsLength(info, verbs)) throw resourceNotFound();
  // A namespaced object is only reached through its namespace, a cluster-wide one never; what cannot be listed has no path for all namespaces.
  if (info.inNamespace ? !kind.namespaced : kind.namespaced && (info.name !== "" || !verbs.includes("list")))
    throw resourceNotFound();
  const version = isVersionKind(kind) ? kind : undefined;
  return {
    kind: version?.hub ?? kind,
    version,
    view: info.subresource,
    namespace: kind.namespaced ? info.namespace : "",
    name: info.name,
  };
}

/** What is only ever created (a review) has no paths with a name, and nothing but a proxied path goes on behind a subresource. */
function fitsLength({ name, subresource, parts }: RequestInfo, verbs: readonly string[]): boolean {
  if (name !== "" && subresource === "") return verbs.some(isNamed);
  return parts.length <= 3 || subresource === "proxy";
}

const namedVerbs = new Set(["get", "update", "patch", "delete"]);
const isNamed = (verb: string): boolean => namedVerbs.has(verb);

/** Creating needs a path without a name, in a namespace where there are any; so does deleting a collection. Changing needs a name. */
function fitsPath({ verb, name, inNamespace }: RequestInfo, { kind }: Target): boolean {
  if (verb === "create" || verb === "deletecollection") return name === "" && (!kind.namespaced || inNamespace);
  return verb === "list" || verb === "watch" || name !== "";
}
