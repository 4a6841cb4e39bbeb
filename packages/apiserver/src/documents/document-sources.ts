import type { TypeSource } from "./schemas/collect-schemas.js";
import type { Describe } from "./schemas/openapi-schema.js";

/** What the OpenAPI documents are made from, besides the resources. */
export interface DocumentSources {
  /** Built-in types by OpenAPI name. */
  readonly types: TypeSource;
  /** Texts of types and their members. @default none */
  readonly describe?: Describe;
}

/** What the documents call themselves. */
export const documentInfo = { title: "Kubernetes", version: "1.36" } as const;
/** What the OpenAPI 3 documents of custom resources call themselves. */
export const customDocumentInfo = { title: "Kubernetes CRD Swagger", version: "v0.1.0" } as const;

export const bearerToken = {
  description: "Bearer Token authentication",
  type: "apiKey",
  name: "authorization",
  in: "header",
} as const;

export const describeNothing: Describe = () => undefined;
