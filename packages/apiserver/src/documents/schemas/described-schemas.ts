import type { ServedResource } from "../served-resource.js";
import { customSchemas, type PublishedSchemas } from "./custom-schemas.js";
import type { Dialect } from "./openapi-schema.js";
import { ownSchemas } from "./own-schemas.js";

/** The schemas of those resources that a schema describes, rather than a built-in type. */
export function describedSchemas(resources: readonly ServedResource[], dialect: Dialect): PublishedSchemas {
  const custom = customSchemas(resources, dialect);
  const own = ownSchemas(resources, dialect);
  return {
    schemas: new Map([...custom.schemas, ...own.schemas]),
    refersTo: [...custom.refersTo, ...own.refersTo],
  };
}
