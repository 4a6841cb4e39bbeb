import { rootPathOf } from "../served-resource.js";
import { objectTypes } from "./media-types.js";
import { operationNames } from "./operation-id.js";
import { metaType, responses, unauthorized } from "./resource-target.js";
import type { BodyType, Route } from "./route.js";

interface DocumentRoute {
  readonly path: string;
  readonly operation: string;
  readonly description: string;
  readonly body: BodyType;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
}

function documentRoute({
  path,
  operation,
  description,
  body,
  consumes = objectTypes,
  produces = objectTypes,
}: DocumentRoute): Route {
  const names = operationNames(path);
  return {
    method: "get",
    path,
    operationId: names.idOf(operation),
    tag: names.tag,
    description,
    consumes,
    produces,
    parameters: [],
    responses: [...responses([200], body), unauthorized],
  };
}

/** `/api/v1/`, `/apis/<group>/<version>/`. */
export const groupVersionRoute = (of: { readonly group: string; readonly version: string }): Route =>
  documentRoute({
    path: `${rootPathOf(of)}/`,
    operation: "getAPIResources",
    description: "get available resources",
    body: metaType("APIResourceList"),
  });

/** `/apis/<group>/`. */
export const groupRoute = (group: string): Route =>
  documentRoute({
    path: `/apis/${group}/`,
    operation: "getAPIGroup",
    description: "get information of a group",
    body: metaType("APIGroup"),
  });

export const coreVersionsRoute: Route = documentRoute({
  path: "/api/",
  operation: "getAPIVersions",
  description: "get available API versions",
  body: metaType("APIVersions"),
});

export const groupsRoute: Route = documentRoute({
  path: "/apis/",
  operation: "getAPIVersions",
  description: "get available API versions",
  body: metaType("APIGroupList"),
});

export const versionRoute: Route = documentRoute({
  path: "/version/",
  operation: "getCodeVersion",
  description: "get the version of this server",
  body: { ref: "io.k8s.apimachinery.pkg.version.Info" },
  consumes: ["application/json"],
  produces: ["application/json"],
});

export const openIDConfigurationRoute: Route = documentRoute({
  path: "/.well-known/openid-configuration/",
  operation: "getServiceAccountIssuerOpenIDConfiguration",
  description: "get the OpenID configuration of the service account issuer",
  body: { type: "string" },
  consumes: [],
  produces: ["application/json"],
});

export const openIDKeysRoute: Route = documentRoute({
  path: "/openid/v1/jwks/",
  operation: "getServiceAccountIssuerOpenIDKeyset",
  description: "get the JSON Web Key Set by which tokens of the service account issuer are verified",
  body: { type: "string" },
  consumes: [],
  produces: ["application/jwk-set+json"],
});
