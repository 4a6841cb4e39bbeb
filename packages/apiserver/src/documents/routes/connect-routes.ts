import type { SubresourceInfo } from "@coxswain/api/resources";
import { typeNameOf } from "../schemas/type-kinds.js";
import { anyType } from "./media-types.js";
import { capitalize } from "./operation-id.js";
import { type ResourceTarget, responses } from "./resource-target.js";
import type { Method, Route } from "./route.js";

/** Subresources that hand the connection on (exec, attach, portforward, proxy): their kind is the options they take. */
export const isConnected = (subresource: SubresourceInfo): boolean => subresource.kind.kind.endsWith("Options");

const streamMethods: readonly Method[] = ["get", "post"];
const proxyMethods: readonly Method[] = ["get", "put", "post", "delete", "options", "head", "patch"];

export function connectRoutes(target: ResourceTarget): Route[] {
  const { resource, item, source } = target;
  const subresource = target.subresource!;
  const isProxy = subresource.name === "proxy";
  const parameters = source.optionsOf(typeNameOf(subresource.kind));
  const paths = [{ path: item, suffix: "" }, ...(isProxy ? [{ path: `${item}/{path}`, suffix: "WithPath" }] : [])];
  return paths.flatMap(({ path, suffix }) =>
    (isProxy ? proxyMethods : streamMethods).map((method) =>
      target.route({
        method,
        path,
        verb: `connect${capitalize(method)}`,
        suffix,
        action: "connect",
        description: `connect ${method.toUpperCase()} requests to ${subresource.name} of ${resource.kind}`,
        parameters,
        consumes: anyType,
        produces: anyType,
        responses: responses([200], { type: "string" }),
        pretty: false,
      }),
    ),
  );
}
