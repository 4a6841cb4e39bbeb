import type { Condition, ObjectMeta } from "@coxswain/api/meta/v1";

/** The group of the Gateway API. */
export const gatewayGroup = "gateway.networking.k8s.io";
/** `spec.controllerName` of the GatewayClasses that are served here. */
export const controllerName = "coxswain.dev/gateway";

/** The members of the Gateway API's objects that are read or written here (apis/v1 of sigs.k8s.io/gateway-api 1.6). */
export interface GatewayObject {
  readonly metadata: ObjectMeta;
}

export interface GatewayClass extends GatewayObject {
  readonly spec: { readonly controllerName: string; readonly parametersRef?: unknown };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly supportedFeatures?: readonly { readonly name: string }[];
  };
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
    readonly options?: Readonly<Record<string, string>>;
  };
  readonly allowedRoutes?: { readonly namespaces?: RouteNamespaces; readonly kinds?: readonly RouteKind[] };
}

export interface Gateway extends GatewayObject {
  readonly spec: {
    readonly gatewayClassName: string;
    readonly listeners: readonly Listener[];
    readonly addresses?: readonly GatewayAddress[];
    readonly infrastructure?: { readonly parametersRef?: unknown };
    /** Which ListenerSets may add listeners; none by default. */
    readonly allowedListeners?: { readonly namespaces?: RouteNamespaces };
    readonly tls?: GatewayTls;
  };
  readonly status?: {
    readonly addresses?: readonly GatewayAddress[];
    readonly attachedListenerSets?: number;
    readonly conditions?: readonly Condition[];
    readonly listeners?: readonly ListenerStatus[];
  };
}

export interface GatewayAddress {
  readonly type?: string;
  readonly value?: string;
}

export interface GatewayTls {
  readonly backend?: { readonly clientCertificateRef?: ObjectReference };
  readonly frontend?: {
    readonly default?: { readonly validation?: FrontendValidation };
    readonly perPort?: readonly { readonly port: number; readonly tls: { readonly validation?: FrontendValidation } }[];
  };
}

/** How clients' certificates are checked. */
export interface FrontendValidation {
  readonly caCertificateRefs: readonly ObjectReference[];
  readonly mode?: "AllowValidOnly" | "AllowInsecureFallback";
}

/** Listeners that somebody else adds to a Gateway. */
export interface ListenerSet extends GatewayObject {
  readonly spec: { readonly parentRef: ObjectReference; readonly listeners: readonly Listener[] };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly listeners?: readonly ListenerStatus[] };
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

export interface MirrorFilter {
  readonly backendRef: BackendObjectReference;
  readonly percent?: number;
  readonly fraction?: { readonly numerator: number; readonly denominator?: number };
}

export interface CorsFilter {
  readonly allowOrigins?: readonly string[];
  readonly allowCredentials?: boolean;
  readonly allowMethods?: readonly string[];
  readonly allowHeaders?: readonly string[];
  readonly exposeHeaders?: readonly string[];
  readonly maxAge?: number;
}

export interface HttpRouteFilter {
  readonly type: string;
  readonly requestMirror?: MirrorFilter;
  readonly cors?: CorsFilter;
  readonly requestHeaderModifier?: HeaderChanges;
  readonly responseHeaderModifier?: HeaderChanges;
  readonly requestRedirect?: RequestRedirect;
  readonly urlRewrite?: { readonly hostname?: string; readonly path?: PathChange };
}

export interface BackendObjectReference extends ObjectReference {
  readonly port?: number;
}

export interface BackendReference extends BackendObjectReference {
  readonly weight?: number;
  readonly filters?: readonly HttpRouteFilter[];
}

export interface HttpRouteRule {
  readonly name?: string;
  readonly matches?: readonly HttpRouteMatch[];
  readonly filters?: readonly HttpRouteFilter[];
  readonly backendRefs?: readonly BackendReference[];
  readonly timeouts?: { readonly request?: string; readonly backendRequest?: string };
  /** Of the experimental channel, as `sessionPersistence`. */
  readonly retry?: { readonly codes?: readonly number[]; readonly attempts?: number; readonly backoff?: string };
  readonly sessionPersistence?: SessionPersistenceSpec;
}

export interface SessionPersistenceSpec {
  readonly sessionName?: string;
  readonly absoluteTimeout?: string;
  readonly type?: "Cookie" | "Header";
  readonly cookieConfig?: { readonly lifetimeType?: "Session" | "Permanent" };
}

/** What routes of all kinds have. */
export interface Route extends GatewayObject {
  readonly spec: { readonly parentRefs?: readonly ParentReference[]; readonly hostnames?: readonly string[] };
  readonly status?: { readonly parents?: readonly RouteParentStatus[] };
}

export interface HttpRoute extends Route {
  readonly spec: Route["spec"] & { readonly rules?: readonly HttpRouteRule[] };
}

export interface GrpcRouteMatch {
  readonly method?: {
    readonly type?: "Exact" | "RegularExpression";
    readonly service?: string;
    readonly method?: string;
  };
  readonly headers?: readonly ValueMatch[];
}

export interface GrpcRouteRule {
  readonly name?: string;
  readonly matches?: readonly GrpcRouteMatch[];
  readonly filters?: readonly HttpRouteFilter[];
  readonly backendRefs?: readonly BackendReference[];
  readonly sessionPersistence?: SessionPersistenceSpec;
}

export interface GrpcRoute extends Route {
  readonly spec: Route["spec"] & { readonly rules?: readonly GrpcRouteRule[] };
}

/** TLSRoutes, TCPRoutes and UDPRoutes: what they carry is not looked at. */
export interface StreamRoute extends Route {
  readonly spec: Route["spec"] & {
    readonly rules?: readonly { readonly name?: string; readonly backendRefs?: readonly BackendReference[] }[];
  };
}

/** TLS from the Gateway to Services of its namespace. */
export interface BackendTlsPolicy extends GatewayObject {
  readonly spec: {
    readonly targetRefs: readonly {
      readonly group: string;
      readonly kind: string;
      readonly name: string;
      readonly sectionName?: string;
    }[];
    readonly validation: {
      readonly caCertificateRefs?: readonly ObjectReference[];
      readonly wellKnownCACertificates?: string;
      readonly hostname: string;
      readonly subjectAltNames?: readonly {
        readonly type: "Hostname" | "URI";
        readonly hostname?: string;
        readonly uri?: string;
      }[];
    };
  };
  readonly status?: { readonly ancestors?: readonly PolicyAncestorStatus[] };
}

export interface PolicyAncestorStatus {
  readonly ancestorRef: ParentReference;
  readonly controllerName: string;
  readonly conditions: readonly Condition[];
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
