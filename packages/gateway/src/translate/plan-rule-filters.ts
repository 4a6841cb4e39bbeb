import { annotationPrefix } from "./annotation-table.js";

/** The annotations of one Ingress by their names without the prefix. */
export type Annotations = ReadonlyMap<string, string>;

export function annotationsOf(annotations: Readonly<Record<string, string>> | undefined): Annotations {
  return new Map(
    Object.entries(annotations ?? {}).flatMap(([name, value]) =>
      name.startsWith(annotationPrefix) ? [[name.slice(annotationPrefix.length), value] as const] : [],
    ),
  );
}

export const isOn = (annotations: Annotations, name: string): boolean => annotations.get(name) === "true";

export interface RuleFilters {
  readonly filters: readonly object[];
  /** A redirect: the rule has no backend. */
  readonly isRedirect: boolean;
  /** Names of annotations whose value has no equivalent. */
  readonly untranslated: readonly string[];
}

/** Pure: filters of a rule. */
export function planRuleFilters(annotations: Annotations): RuleFilters {
  const redirect = planRedirect(annotations);
  if (redirect) return { filters: [redirect], isRedirect: true, untranslated: [] };
  const rewrite = planRewrite(annotations);
  const prefix = annotations.get("x-forwarded-prefix");
  const filters = [
    ...(isOn(annotations, "enable-cors") ? [planCors(annotations)] : []),
    ...(prefix === undefined ? [] : [setHeader("X-Forwarded-Prefix", prefix)]),
    ...(rewrite.filter ? [rewrite.filter] : []),
  ];
  return { filters, isRedirect: false, untranslated: rewrite.isLost ? ["rewrite-target"] : [] };
}

const setHeader = (name: string, value: string): object => ({
  type: "RequestHeaderModifier",
  requestHeaderModifier: { set: [{ name, value }] },
});

function planRewrite(annotations: Annotations): { filter?: object; isLost: boolean } {
  const [target, hostname] = [annotations.get("rewrite-target"), annotations.get("upstream-vhost")];
  const isLost = target?.includes("$") ?? false;
  const path = target === undefined || isLost ? undefined : { type: "ReplaceFullPath", replaceFullPath: target }; // without groups, nginx replaces the whole path
  if (path === undefined && hostname === undefined) return { isLost };
  return {
    filter: { type: "URLRewrite", urlRewrite: { ...(hostname && { hostname }), ...(path && { path }) } },
    isLost,
  };
}

/** Lists have commas. What ingress-nginx allows by default is written out. */
function planCors(annotations: Annotations): object {
  const list = (name: string, byDefault: string): string[] =>
    (annotations.get(name) ?? byDefault).split(",").flatMap((one) => one.trim() || []);
  const exposed = list("cors-expose-headers", "");
  return {
    type: "CORS",
    cors: {
      allowOrigins: list("cors-allow-origin", "*"),
      allowCredentials: annotations.get("cors-allow-credentials") !== "false",
      allowMethods: list("cors-allow-methods", "GET, PUT, POST, DELETE, PATCH, OPTIONS"),
      allowHeaders: list(
        "cors-allow-headers",
        "DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization",
      ),
      ...(exposed.length > 0 && { exposeHeaders: exposed }),
      maxAge: Number(annotations.get("cors-max-age") ?? 1_728_000),
    },
  };
}

const allowedCodes = new Set([301, 302, 303, 307, 308]);

function planRedirect(annotations: Annotations): object | undefined {
  const [permanent, temporal] = [annotations.get("permanent-redirect"), annotations.get("temporal-redirect")];
  const target = permanent ?? temporal;
  if (target === undefined) return undefined;
  const asked = Number(
    permanent === undefined ? annotations.get("temporal-redirect-code") : annotations.get("permanent-redirect-code"),
  );
  const statusCode = allowedCodes.has(asked) ? asked : permanent === undefined ? 302 : 301;
  const url = URL.canParse(target) ? new URL(target) : undefined;
  const path = url ? url.pathname : target;
  return {
    type: "RequestRedirect",
    requestRedirect: {
      ...(url && { scheme: url.protocol.slice(0, -1), hostname: url.hostname }),
      ...(url?.port && { port: Number(url.port) }),
      path: { type: "ReplaceFullPath", replaceFullPath: path },
      statusCode,
    },
  };
}
