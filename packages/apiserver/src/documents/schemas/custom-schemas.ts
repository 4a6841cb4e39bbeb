import type { ServedResource } from "../served-resource.js";
import type { Dialect, OpenAPISchema } from "./openapi-schema.js";

export interface CustomSchemas {
  /** By OpenAPI name: each kind and its list. */
  readonly schemas: ReadonlyMap<string, OpenAPISchema>;
  /** Built-in types that they refer to. */
  readonly refersTo: readonly string[];
}

export function customSchemas(_resources: readonly ServedResource[], _dialect: Dialect): CustomSchemas {
  return { schemas: new Map(), refersTo: [] };
}
