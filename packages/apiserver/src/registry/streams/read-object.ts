import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { notFound } from "@coxswain/apimachinery/status";
import { createLister } from "../../cache/lister.js";
import { objectKey } from "../../cache/object-key.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { waitForLatest } from "../../endpoints/resource-version.js";
import type { RequestContext } from "../../request/request-context.js";
import type { StreamDeps } from "./stream-deps.js";

/** The newest state of an object of the core group; undefined where there is none. */
export async function findObject<T extends KubernetesObject>(
  deps: StreamDeps,
  context: RequestContext,
  resource: string,
  namespace: string,
  name: string,
): Promise<T | undefined> {
  await waitForLatest(deps, context);
  const kind = storedKind("", resource);
  return createLister<T>(deps.feed.cacheOf(kind)).get(objectKey(kind, namespace, name));
}

/** Throws 404 where there is none; as upstream does it (pkg/registry/core/pod/strategy.go, getPod), that names the resource of the request, whatever was looked for. */
export async function readObject<T extends KubernetesObject>(
  deps: StreamDeps,
  context: RequestContext,
  resource: string,
  namespace: string,
  name: string,
): Promise<T> {
  const object = await findObject<T>(deps, context, resource, namespace, name);
  if (!object) throw notFound({ group: "", resource: context.info.resource }, name);
  return object;
}
