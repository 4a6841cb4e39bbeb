import { createHash } from "node:crypto";
import type { APIGroupDiscoveryList } from "./aggregated.js";

/** SHA-512 in upper-case hex: what upstream puts into ETags and into the `hash` of OpenAPI addresses. */
export function documentHash(content: string | Uint8Array): string {
  return createHash("sha512").update(content).digest("hex").toUpperCase();
}

/** With the quotes that an ETag header needs. The kind and apiVersion are not part of what is hashed. */
export function discoveryETag(document: APIGroupDiscoveryList): string {
  return `"${documentHash(JSON.stringify({ metadata: document.metadata, items: document.items }))}"`;
}
