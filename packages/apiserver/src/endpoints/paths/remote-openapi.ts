import type { MergeableDocument } from "../../documents/openapi-v2/merge.js";
import type { OpenAPIV3Document } from "../../documents/openapi-v3/document.js";
import type { Handler } from "../../request/filter.js";

/** A document of OpenAPI 3 that another server makes. */
export type RemoteV3Document =
  /** It is asked for the document. `url`: as its own index has it. */
  | { readonly as: "proxied"; readonly url: string; readonly handle: Handler }
  /** It has none; this was made of its older one. */
  | { readonly as: "converted"; readonly document: OpenAPIV3Document };

/** How aggregated servers describe themselves. */
export interface RemoteOpenApi {
  /** Grows with every change. */
  readonly generation: number;
  /** By name: "apis/wardle.example.com/v1alpha1". */
  v3(): ReadonlyMap<string, RemoteV3Document>;
  /** In the order in which they are merged. */
  v2(): readonly MergeableDocument[];
}
