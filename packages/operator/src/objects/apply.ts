import type { DeepReadonly } from "@coxswain/api/types";
import { isConflict } from "@coxswain/apimachinery/status";
import type { ApplyConfiguration } from "@coxswain/client";
import type { ClusterAccess } from "../access/index.js";
import { namespaceFor, type ResourceDefinition, resourceName, storeKey } from "../resource/index.js";
import { appliedThrough } from "./applied-objects.js";
import { setControllerReference } from "./controller-reference.js";
import { digestOf } from "./digest.js";
import { type MadeFrom, metadataOf, sourcesOf } from "./source.js";
import { SourceGuard } from "./source-guard.js";
import { isStaleSource } from "./stale-source-error.js";

export type ApplyObjectOptions = MadeFrom & {
  /** Takes fields from other managers. @default true: a controller is the one who knows */
  readonly force?: boolean;
  /** @default the controller's */
  readonly fieldManager?: string;
};

/** No object has it, so an apply that names it only creates: the server compares versions where an object is there. */
const versionOfNone = "1";

/**
 * Server-side apply: makes the object, or sets the fields that the configuration has, and removes those that an earlier configuration of
 * the same manager had. Fields of other managers stay.
 *
 * *Guarantees*: with `owner` or `from`, what was computed from a newer source is never replaced, however late this process is: the object
 * carries what it was made from in an annotation, and the write names the version that was compared. Where there is nothing to compare with
 * (the object is to be created, the source was created again) the source is read from the server. Nothing is sent where nothing would change.
 *
 * *Caveats*: an object that somebody deletes between that read and the creation is made again, until the next try. A `transform` of the
 * object's cache must keep annotations.
 *
 * @throws StaleSourceError where something newer is there; the request comes again
 * @throws StatusError Conflict without `force`, where another manager has a field; or where others keep on writing the object
 */
export async function apply<T extends object>(
  access: ClusterAccess,
  resource: ResourceDefinition<T>,
  configuration: ApplyConfiguration<T>,
  options: ApplyObjectOptions,
): Promise<DeepReadonly<T>> {
  const { owner, force = true, fieldManager = access.fieldManager } = options;
  const { name, namespace } = configuration.metadata as { name: string; namespace?: string };
  const client = access.resource(resource, namespaceFor(resource, { name, namespace }));
  const send = async (object: ApplyConfiguration<T>): Promise<DeepReadonly<T>> =>
    (await client.apply(object, { fieldManager, force })) as DeepReadonly<T>;
  const owned = owner ? setControllerReference(configuration, owner) : configuration;
  if (sourcesOf(options).length === 0) return send(owned);

  const digest = digestOf(JSON.stringify(owned));
  const guard = new SourceGuard(access, { madeFrom: options, fieldManager, digest });
  const applied = appliedThrough(access.client);
  const appliedKey = `${guard.key} ${resourceName(resource)} ${storeKey({ namespace, name })}`;
  const isCached = access.isCached(resource);

  async function attempt(present: DeepReadonly<T> | undefined): Promise<DeepReadonly<T>> {
    if (present && guard.isSame(present) && applied.isAsApplied(appliedKey, digest, present)) return present;
    await guard.assertNotOlder(present);
    const written = await send(withMetadata(owned, present, guard.recordFor(present)));
    // As the cache shows it: a later read is compared with this one.
    const shown = isCached ? await access.get(resource, { namespace, name }) : written;
    if (shown !== undefined) applied.note(appliedKey, digest, shown);
    return written;
  }

  const live = async () => (await access.live.get(resource, { namespace, name })) as DeepReadonly<T> | undefined;
  const present = isCached ? await access.get(resource, { namespace, name }) : await live();
  try {
    return await attempt(present);
  } catch (error) {
    // The cache of the object is late, too, or somebody wrote in this moment.
    if (!isConflict(error) || isStaleSource(error)) throw error;
    return attempt(await live());
  }
}

/** The configuration with the record, and the version that it may replace. */
function withMetadata<T extends object>(
  configuration: ApplyConfiguration<T>,
  present: object | undefined,
  record: Readonly<Record<string, string>>,
): ApplyConfiguration<T> {
  const metadata = metadataOf(configuration);
  const resourceVersion = present ? metadataOf(present).resourceVersion : versionOfNone;
  return {
    ...configuration,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...record }, resourceVersion },
  } as ApplyConfiguration<T>;
}
