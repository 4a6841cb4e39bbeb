/** A schema object of OpenAPI 2 or 3. Members are set in the order in which upstream writes them. */
export interface OpenAPISchema {
  $ref?: string;
  description?: string;
  type?: string;
  nullable?: boolean;
  format?: string;
  default?: unknown;
  enum?: readonly unknown[];
  required?: readonly string[];
  items?: OpenAPISchema;
  allOf?: readonly OpenAPISchema[];
  oneOf?: readonly OpenAPISchema[];
  properties?: Record<string, OpenAPISchema>;
  additionalProperties?: OpenAPISchema;
  [extension: `x-kubernetes-${string}`]: unknown;
}

/** The text for a type, or for one of its members; undefined where there is none. */
export type Describe = (typeName: string, member?: string) => string | undefined;

/** What differs between OpenAPI 2 and 3 where types are concerned. */
export interface Dialect {
  readonly refPrefix: "#/definitions/" | "#/components/schemas/";
  /**
   * Version 3: a reference with sibling members is wrapped in `allOf`, and defaults are written. Version 2 has references beside other
   * members, no defaults, and a plain string for a quantity.
   */
  readonly v3: boolean;
  readonly describe: Describe;
}
