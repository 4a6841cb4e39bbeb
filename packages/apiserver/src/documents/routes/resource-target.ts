import type { SubresourceInfo } from "@coxswain/api/resources";
import type { GroupVersionKind } from "@coxswain/apimachinery/meta";
import { customTypeName } from "../schemas/custom-schemas.js";
import { typeNameOf } from "../schemas/type-kinds.js";
import { rootPathOf, type ServedResource } from "../served-resource.js";
import { builtInFlavour, customFlavour, type Flavour } from "./flavour.js";
import { capitalize, operationNames } from "./operation-id.js";
import type { ParameterSource } from "./option-parameters.js";
import { parameterWords } from "./parameter-words.js";
import type { BodyType, Method, Route, RouteParameter, RouteResponse } from "./route.js";

/** A resource or one of its subresources, with what its routes have in common. */
export interface ResourceTarget {
  readonly resource: ServedResource;
  readonly subresource: SubresourceInfo | undefined;
  readonly verbs: readonly string[];
  /** What a body holds. */
  readonly type: BodyType;
  /** What an answer to a list holds. */
  readonly list: BodyType;
  readonly flavour: Flavour;
  readonly source: ParameterSource;
  /** Path of the collection; of a subresource the same as `item`. */
  readonly collection: string;
  readonly item: string;
  route(facts: RouteFacts): Route;
}

export interface RouteFacts {
  readonly method: Method;
  readonly path: string;
  /** With which the operation's name begins ("list", "connectGet"), and ends ("ForAllNamespaces"). */
  readonly verb: string;
  readonly suffix?: string;
  readonly action: string;
  readonly description: string;
  readonly parameters?: readonly RouteParameter[];
  readonly produces?: readonly string[];
  readonly consumes?: readonly string[];
  readonly body?: { readonly type: BodyType; readonly required: boolean };
  readonly responses: readonly RouteResponse[];
  /** @default true */
  readonly pretty?: boolean;
}

export const metaType = (kind: string): BodyType => ({ ref: `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}` });

const reasons = new Map([
  [200, "OK"],
  [201, "Created"],
  [202, "Accepted"],
]);
export const responses = (codes: readonly number[], body: BodyType): RouteResponse[] =>
  codes.map((code) => ({ code, description: reasons.get(code) ?? "", body }));

export const unauthorized: RouteResponse = { code: 401, description: "Unauthorized", body: undefined };

const pretty: RouteParameter = { name: "pretty", in: "query", type: "string", description: parameterWords("pretty") };
const namespaceParameter: RouteParameter = {
  name: "namespace",
  in: "path",
  type: "string",
  description: parameterWords("namespace"),
};
const pathParameter: RouteParameter = { name: "path", in: "path", type: "string", description: parameterWords("path") };

export function createTarget(
  resource: ServedResource,
  subresource: SubresourceInfo | undefined,
  source: ParameterSource,
): ResourceTarget {
  const flavour = resource.custom ? customFlavour : builtInFlavour;
  const root = rootPathOf(resource);
  const names = operationNames(root);
  const collection = `${root}${resource.namespaced ? "/namespaces/{namespace}" : ""}/${resource.resource}`;
  const item = `${collection}/{name}${subresource ? `/${subresource.name}` : ""}`;
  const own: GroupVersionKind = { group: resource.group, version: resource.version, kind: resource.kind };
  // The documents of custom resources name the resource's own kind, even for scale.
  const kind = resource.custom ? own : (subresource?.kind ?? own);
  const sameAsParent =
    !subresource || (subresource.kind.kind === resource.kind && subresource.kind.group === resource.group);
  const name: RouteParameter = { name: "name", in: "path", type: "string", description: `name of the ${kind.kind}` };
  const inPath = (path: string): RouteParameter[] => [
    ...(path.includes("{namespace}") ? [namespaceParameter] : []),
    ...(path.includes("{name}") ? [name] : []),
    ...(path.endsWith("{path}") ? [pathParameter] : []),
  ];
  const typeName = resource.custom ? customTypeName(resource) : resource.schema.name;
  return {
    resource,
    subresource,
    verbs: subresource?.verbs ?? resource.verbs,
    type: { ref: sameAsParent ? typeName : typeNameOf(subresource.kind) },
    list: { ref: typeName.slice(0, typeName.lastIndexOf(".") + 1) + resource.listKind },
    flavour,
    source,
    collection: subresource ? item : collection,
    item,
    route(facts) {
      const scope = facts.path.includes("{namespace}") ? "Namespaced" : "";
      const operation = facts.verb + scope + resource.kind + capitalize(subresource?.name ?? "") + (facts.suffix ?? "");
      return {
        method: facts.method,
        path: facts.path,
        operationId: names.idOf(operation),
        tag: names.tag,
        description: facts.description,
        consumes: facts.consumes ?? flavour.consumes,
        produces: facts.produces ?? flavour.produces,
        parameters: [...(facts.pretty === false ? [] : [pretty]), ...(facts.parameters ?? []), ...inPath(facts.path)],
        ...(facts.body === undefined ? {} : { body: facts.body }),
        responses: [...facts.responses, unauthorized],
        action: facts.action,
        kind,
      };
    },
  };
}
