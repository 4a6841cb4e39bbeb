import type { Condition, ObjectMeta } from "@coxswain/api/meta/v1";

/** The group of the Gateway API. */
export const gatewayGroup = "gateway.networking.k8s.io";
/** `spec.controllerName` of the GatewayClasses that are served here. */
export const controllerName = "coxswain.dev/gateway";

/** The members of the Gateway API's objects that are read or written here (apis/v1 of sigs.k8s.io/gateway-api 1.6). */
interface GatewayObject {
  readonly metadata: ObjectMeta;
}

export interface GatewayClass extends GatewayObject {
  readonly spec: { readonly controllerName: string; readonly parametersRef?: unknown };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface RouteNamespaces {
  readonly from?: "All" | "Same" | "Selector" | "None";
  readonly selector?: unknown;
}

export interface RouteKind {
  readonly group?: string;
  readonly kind: string;
}

export interface Listener {
  readonly name: string;
  readonly hostname?: string;
  readonly port: number;
  readonly protocol: string;
  readonly tls?: {
    readonly mode?: "Terminate" | "Passthrough";
    readonly certificateRefs?: readonly ObjectReference[];
  };
  readonly allowedRoutes?: { readonly namespaces?: RouteNamespaces; readonly kinds?: readonly RouteKind[] };
}

export interface Gateway extends GatewayObject {
  readonly spec: {
    readonly gatewayClassName: string;
    readonly listeners: readonly Listener[];
    readonly addresses?: readonly { readonly type?: string; readonly value?: string }[];
  };
  readonly status?: {
    readonly addresses?: readonly { readonly type?: string; readonly value: string }[];
    readonly conditions?: readonly Condition[];
    readonly listeners?: readonly ListenerStatus[];
  };
}

export interface ListenerStatus {
  readonly name: string;
  readonly supportedKinds: readonly RouteKind[];
  readonly attachedRoutes: number;
  readonly conditions: readonly Condition[];
}

export interface ObjectReference {
  readonly group?: string;
  readonly kind?: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface ParentReference extends ObjectReference {
  readonly sectionName?: string;
  readonly port?: number;
}

export interface ValueMatch {
  readonly type?: "Exact" | "RegularExpression";
  readonly name: string;
  readonly value: string;
}

export interface HttpRouteMatch {
  readonly path?: { readonly type?: "Exact" | "PathPrefix" | "RegularExpression"; readonly value?: string };
  readonly headers?: readonly ValueMatch[];
  readonly queryParams?: readonly ValueMatch[];
  readonly method?: string;
}

export interface HeaderValue {
  readonly name: string;
  readonly value: string;
}

export interface HeaderChanges {
  readonly set?: readonly HeaderValue[];
  readonly add?: readonly HeaderValue[];
  readonly remove?: readonly string[];
}

export type PathChange =
  | { readonly type: "ReplaceFullPath"; readonly replaceFullPath?: string }
  | { readonly type: "ReplacePrefixMatch"; readonly replacePrefixMatch?: string };

export interface RequestRedirect {
  readonly scheme?: string;
  readonly hostname?: string;
  readonly path?: PathChange;
  readonly port?: number;
  readonly statusCode?: number;
}

export interface HttpRouteFilter {
  readonly type: string;
  readonly requestHeaderModifier?: HeaderChanges;
  readonly responseHeaderModifier?: HeaderChanges;
  readonly requestRedirect?: RequestRedirect;
  readonly urlRewrite?: { readonly hostname?: string; readonly path?: PathChange };
}

export interface BackendReference extends ObjectReference {
  readonly port?: number;
  readonly weight?: number;
  readonly filters?: readonly HttpRouteFilter[];
}

export interface HttpRouteRule {
  readonly name?: string;
  readonly matches?: readonly HttpRouteMatch[];
  readonly filters?: readonly HttpRouteFilter[];
  readonly backendRefs?: readonly BackendReference[];
  readonly timeouts?: { readonly request?: string; readonly backendRequest?: string };
}

export interface HttpRoute extends GatewayObject {
  readonly spec: {
    readonly parentRefs?: readonly ParentReference[];
    readonly hostnames?: readonly string[];
    readonly rules?: readonly HttpRouteRule[];
  };
  readonly status?: { readonly parents?: readonly RouteParentStatus[] };
}

export interface RouteParentStatus {
  readonly parentRef: ParentReference;
  readonly controllerName: string;
  readonly conditions: readonly Condition[];
}

export interface ReferenceGrant extends GatewayObject {
  readonly spec: {
    readonly from: readonly { readonly group: string; readonly kind: string; readonly namespace: string }[];
    readonly to: readonly { readonly group: string; readonly kind: string; readonly name?: string }[];
  };
}
