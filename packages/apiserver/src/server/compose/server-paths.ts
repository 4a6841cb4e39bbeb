import { kubernetesRelease } from "@coxswain/api/release";
import type { TypeRegistry } from "@coxswain/apimachinery/schema";
import type { Aggregation } from "../../aggregation/create-aggregation.js";
import type { Catalogue } from "../../catalogue/catalogue.js";
import type { DocumentSources } from "../../documents/document-sources.js";
import { goPlatform, versionInfo } from "../../documents/version.js";
import { createDiscovery } from "../../endpoints/paths/discovery.js";
import { createHealth, healthPaths } from "../../endpoints/paths/health.js";
import { createOpenApi } from "../../endpoints/paths/openapi.js";
import { firstOf, type PathSource } from "../../endpoints/paths/path-source.js";
import { createRootPaths, groupPaths } from "../../endpoints/paths/root-paths.js";
import { createVersion } from "../../endpoints/paths/version.js";
import type { Observability } from "../observability/observability.js";

export interface PathOptions {
  readonly catalogue: Catalogue;
  /** What the OpenAPI documents describe. */
  readonly types: TypeRegistry;
  readonly observability: Pick<Observability, "health" | "onChecked" | "pages" | "listed">;
  /** Milliseconds since 1970. */
  now(): number;
  readonly aggregation: Pick<Aggregation, "registered" | "openApi" | "paths">;
  /** Further paths that `/` lists. */
  readonly listed: readonly string[];
  /** The address of this server in discovery. */
  serverAddress(): string;
}

/** Everything below `/` that is not a resource. */
export function createServerPaths({
  catalogue,
  types,
  aggregation,
  observability,
  listed,
  now,
  serverAddress,
}: PathOptions): PathSource {
  return firstOf(
    aggregation.paths,
    createDiscovery(catalogue, aggregation.registered, serverAddress),
    createOpenApi(catalogue, {
      sources: () => documentSources(types),
      version: kubernetesRelease.gitVersion,
      now,
      remote: aggregation.openApi,
    }),
    createHealth(observability.health, observability.onChecked),
    observability.pages,
    createVersion(versionInfo({ runtime: `node ${process.version}`, platform: goPlatform(process) })),
    createRootPaths(() => [
      ...groupPaths(catalogue.kinds()),
      ...groupPaths(aggregation.registered.ranked()),
      ...healthPaths(observability.health),
      ...observability.listed,
      ...listed,
      "/openapi/v2",
      "/openapi/v3",
      "/openapi/v3/",
      "/version",
    ]),
  );
}

/** Descriptions are large and rarely asked for: they are read with the first document. */
async function documentSources(types: TypeRegistry): Promise<DocumentSources> {
  const { loadDescriptions } = await import("@coxswain/api/descriptions");
  const descriptions = await loadDescriptions();
  return {
    types,
    describe: (name, member) =>
      (member === undefined ? descriptions.ofType(name) : descriptions.ofMember(types.get(name), member)) || undefined,
  };
}
