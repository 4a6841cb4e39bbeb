import { builtInTypes } from "@coxswain/api/tables";
import { findResource } from "@coxswain/api/resources";
import type { AnyKind } from "@coxswain/kinds";
import { serveBuiltIn } from "../documents/built-in-resources.js";
import type { DocumentSources } from "../documents/document-sources.js";
import type { ServedResource } from "../documents/served-resource.js";
import { kubernetesRelease, versionInfo } from "../documents/version.js";
import { createDiscovery } from "../endpoints/paths/discovery.js";
import { createHealth, healthPaths } from "../endpoints/paths/health.js";
import { createOpenApi } from "../endpoints/paths/openapi.js";
import { firstOf, type PathSource } from "../endpoints/paths/path-source.js";
import { createRootPaths, groupPaths } from "../endpoints/paths/root-paths.js";
import { createVersion, platformName } from "../endpoints/paths/version.js";
import type { Surface } from "./surface.js";

export interface PathOptions {
  readonly kinds: readonly AnyKind[];
  readonly surface: Pick<Surface, "health" | "onChecked" | "pages" | "listed" | "startedAt">;
  /** Where clients reach this server, as discovery tells them. */
  serverAddress(): string;
}

/** Everything below `/` that is not a resource. */
export function createServerPaths({ kinds, surface, serverAddress }: PathOptions): PathSource {
  const resources = kinds.flatMap(servedResource);
  return firstOf(
    createDiscovery(resources, serverAddress),
    createOpenApi(resources, {
      sources: documentSources,
      version: kubernetesRelease.gitVersion,
      modifiedAt: surface.startedAt,
    }),
    createHealth(surface.health, surface.onChecked),
    surface.pages,
    createVersion(
      versionInfo({ runtime: `node ${process.version}`, platform: platformName(process.platform, process.arch) }),
    ),
    createRootPaths(() => [
      ...groupPaths(resources),
      ...healthPaths(surface.health),
      ...surface.listed,
      "/.well-known/openid-configuration",
      "/openapi/v2",
      "/openapi/v3",
      "/openapi/v3/",
      "/openid/v1/jwks",
      "/version",
    ]),
  );
}

function servedResource(kind: AnyKind): ServedResource[] {
  const info = findResource(kind.group, kind.version, kind.resource);
  return info ? [serveBuiltIn(info, builtInTypes)] : [];
}

/** Descriptions are large and rarely asked for: they are read with the first document. */
async function documentSources(): Promise<DocumentSources> {
  const { loadDescriptions } = await import("@coxswain/api/descriptions");
  const descriptions = await loadDescriptions();
  return {
    types: builtInTypes,
    describe: (name, member) =>
      (member === undefined ? descriptions.ofType(name) : descriptions.ofMember(builtInTypes.get(name), member)) ||
      undefined,
  };
}
