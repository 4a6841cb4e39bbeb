import { patchType } from "../schemas/leaf-types.js";
import { rootPathOf, type ServedResource } from "../served-resource.js";
import { connectRoutes, isConnected } from "./connect-routes.js";
import { returnsDeletedObject } from "./deleted-objects.js";
import type { ParameterSource } from "./option-parameters.js";
import { createTarget, metaType, type ResourceTarget, responses } from "./resource-target.js";
import type { Route } from "./route.js";

const options = (kind: string): string => `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`;

/** Every operation of a resource and of its subresources. */
export function resourceRoutes(resource: ServedResource, source: ParameterSource): Route[] {
  const target = createTarget(resource, undefined, source);
  return [
    ...listRoutes(target),
    ...itemRoutes(target),
    ...resource.subresources.flatMap((subresource) => {
      const below = createTarget(resource, subresource, source);
      return isConnected(subresource) ? connectRoutes(below) : itemRoutes(below);
    }),
  ];
}

/** Listing, deleting many, and the old paths for watching. */
function listRoutes(target: ResourceTarget): Route[] {
  const { resource, flavour, source, list, collection, item } = target;
  const has = (verb: string): boolean => target.verbs.includes(verb);
  const root = rootPathOf(resource);
  const watched = (path: string): string => `${root}/watch${path.slice(root.length)}`;
  const allNamespaces = resource.namespaced
    ? [{ path: `${root}/${resource.resource}`, suffix: "ForAllNamespaces" }]
    : [];
  const routes: Route[] = [];
  for (const { path, suffix } of [{ path: collection, suffix: "" }, ...allNamespaces]) {
    const parameters = source.optionsOf(options("ListOptions"));
    if (has("list")) {
      const description = `list ${has("watch") ? "or watch " : ""}objects of kind ${resource.kind}`;
      routes.push(
        target.route({
          method: "get",
          path,
          verb: "list",
          suffix,
          action: "list",
          description,
          parameters,
          produces: flavour.listProduces,
          responses: responses([200], list),
        }),
      );
    }
    if (has("list") && has("watch") && flavour.watchPaths)
      routes.push(watchRoute(target, watched(path), "watchlist", `List${suffix}`));
  }
  if (has("watch") && flavour.watchPaths) routes.push(watchRoute(target, watched(item), "watch", ""));
  if (has("deletecollection")) {
    const { takesDeleteOptions, withoutListOptions } = flavour.deleteCollection;
    routes.push(
      target.route({
        method: "delete",
        path: collection,
        verb: "deletecollection",
        action: "deletecollection",
        description: `delete collection of ${resource.kind}`,
        parameters: [
          ...(takesDeleteOptions ? source.optionsOf(options("DeleteOptions")) : []),
          ...source.optionsOf(options("ListOptions"), withoutListOptions),
        ],
        ...(takesDeleteOptions ? { body: { type: metaType("DeleteOptions"), required: false } } : {}),
        responses: responses([200], metaType("Status")),
      }),
    );
  }
  return routes;
}

function watchRoute(target: ResourceTarget, path: string, action: "watch" | "watchlist", suffix: string): Route {
  return target.route({
    method: "get",
    path,
    verb: "watch",
    suffix,
    action,
    description: `watch objects of kind ${target.resource.kind}. Deprecated: list them with the parameter watch, and with a fieldSelector for a single one.`,
    parameters: target.source.optionsOf(options("ListOptions")),
    produces: target.flavour.listProduces,
    responses: responses([200], metaType("WatchEvent")),
  });
}

/** Creating, reading and changing one object, or a subresource of it. */
function itemRoutes(target: ResourceTarget): Route[] {
  const { resource, subresource, type, flavour, source, collection, item } = target;
  const has = (verb: string): boolean => target.verbs.includes(verb);
  const what = subresource ? `${subresource.name} of the specified ${resource.kind}` : `the specified ${resource.kind}`;
  const routes: Route[] = [];
  if (has("create")) {
    routes.push(
      target.route({
        method: "post",
        path: collection,
        verb: "create",
        action: "post",
        description: subresource
          ? `create ${subresource.name} of ${article(resource.kind)}${resource.kind}`
          : `create ${article(resource.kind)}${resource.kind}`,
        parameters: source.optionsOf(options("CreateOptions")),
        body: { type, required: true },
        responses: responses([200, 201, 202], type),
      }),
    );
  }
  if (has("get")) routes.push(readRoute(target, `read ${what}`));
  if (has("update")) {
    routes.push(
      target.route({
        method: "put",
        path: item,
        verb: "replace",
        action: "put",
        description: `replace ${what}`,
        parameters: source.optionsOf(options("UpdateOptions")),
        body: { type, required: true },
        responses: responses([200, 201], type),
      }),
    );
  }
  if (has("patch")) {
    routes.push(
      target.route({
        method: "patch",
        path: item,
        verb: "patch",
        action: "patch",
        description: `partially update ${what}`,
        parameters: source.optionsOf(options("PatchOptions")),
        consumes: flavour.patchTypes,
        body: { type: { ref: patchType.name }, required: true },
        responses: responses(flavour.patchCodes, type),
      }),
    );
  }
  if (has("delete")) {
    routes.push(
      target.route({
        method: "delete",
        path: item,
        verb: "delete",
        action: "delete",
        description: `delete ${article(resource.kind)}${resource.kind}`,
        parameters: source.optionsOf(options("DeleteOptions")),
        body: { type: metaType("DeleteOptions"), required: false },
        responses: responses([200, 202], returnsDeletedObject(resource) ? type : metaType("Status")),
      }),
    );
  }
  return routes;
}

function readRoute(target: ResourceTarget, description: string): Route {
  const { flavour, source, item } = target;
  const facts = { method: "get", path: item, verb: "read", action: "get", description } as const;
  if (isPodLog(target)) {
    // The log is the one thing that is read as text, and with options of its own.
    const parameters = source.optionsOf("io.k8s.api.core.v1.PodLogOptions");
    return target.route({
      ...facts,
      parameters,
      produces: ["text/plain", ...flavour.produces],
      responses: responses([200], { type: "string" }),
    });
  }
  const parameters = source
    .optionsOf(options("ListOptions"))
    .filter((parameter) => flavour.readParameters.includes(parameter.name));
  return target.route({ ...facts, parameters, responses: responses([200], target.type) });
}

const isPodLog = ({ resource, subresource }: ResourceTarget): boolean =>
  resource.group === "" && resource.resource === "pods" && subresource?.name === "log";

/** "a ", "an ", or nothing before a plural. */
function article(noun: string): string {
  if (noun.endsWith("s") && !noun.endsWith("ss")) return "";
  return /^[aeiou]/i.test(noun) ? "an " : "a ";
}
