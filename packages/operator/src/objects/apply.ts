import type { ApplyConfiguration } from "@coxswain/client";
import type { ClusterAccess } from "../access/index.js";
import { namespaceFor, type ResourceDefinition } from "../resource/index.js";
import { type Owner, setControllerReference } from "./controller-reference.js";

export interface ApplyObjectOptions {
  /** Becomes the controller of the object. */
  readonly owner?: Owner;
  /** Takes fields from other managers. @default true: a controller is the one who knows */
  readonly force?: boolean;
  /** @default the controller's */
  readonly fieldManager?: string;
}

/**
 * Server-side apply: makes the object, or sets the fields that the configuration has, and removes those that an earlier configuration of the
 * same manager had. Fields of other managers stay. @throws StatusError Conflict without `force`, where another manager has a field
 */
export async function apply<T extends object>(
  access: ClusterAccess,
  resource: ResourceDefinition<T>,
  configuration: ApplyConfiguration<T>,
  { owner, force = true, fieldManager = access.fieldManager }: ApplyObjectOptions = {},
): Promise<T> {
  const { name, namespace } = configuration.metadata as { name: string; namespace?: string };
  const owned = owner ? setControllerReference(configuration, owner) : configuration;
  return access.resource(resource, namespaceFor(resource, { name, namespace })).apply(owned, { fieldManager, force });
}
