import type { GroupVersionKind } from "@coxswain/apimachinery/meta";

/** In the order in which a path's operations are written. */
export const methods = ["get", "put", "post", "delete", "options", "head", "patch"] as const;
export type Method = (typeof methods)[number];

export interface RouteParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly type: "string" | "boolean" | "integer";
  readonly description?: string | undefined;
}

/** What a body holds: a type by its OpenAPI name, or plain text. */
export type BodyType = { readonly ref: string } | { readonly type: "string" };

export interface RouteResponse {
  readonly code: number;
  readonly description: string;
  /** Undefined: the body is not described. */
  readonly body: BodyType | undefined;
}

/** One operation that the server answers. OpenAPI 2 and 3 are two ways to write a list of these. */
export interface Route {
  readonly method: Method;
  /** With parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly description: string;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: readonly RouteParameter[];
  readonly body?: { readonly type: BodyType; readonly required: boolean };
  readonly responses: readonly RouteResponse[];
  /** Routes of resources have both, routes of documents neither. */
  readonly action?: string;
  readonly kind?: GroupVersionKind;
}
