import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedObject } from "@coxswain/client/informers";
import { ownerNames } from "../event/index.js";
import { nameOf, type ResourceDefinition } from "../resource/index.js";
import { type Controller, type ControllerEnvironment, createController } from "./controller.js";
import type { ControllerOptions } from "./controller-options.js";
import type { Reconciler } from "./reconcile.js";
import { type RequestMapping, type Source, type WatchOptions, watchResource } from "./source.js";

/** Declares what a controller watches and what it does. Ends with `reconcile`. */
export interface ControllerBuilder {
  /** The resource that is reconciled: each of its events wakes the object itself. Once. */
  for<T extends object>(resource: ResourceDefinition<T>, options?: WatchOptions<T>): ControllerBuilder;
  /**
   * Objects that the reconciled ones own: their events wake the owner that controls them.
   * `everyOwner`: every owner of the reconciled kind, not only the controlling one.
   */
  owns<T extends object>(
    resource: ResourceDefinition<T>,
    options?: WatchOptions<T> & { readonly everyOwner?: boolean },
  ): ControllerBuilder;
  /** Anything else: the function names the objects that a change concerns. */
  watches<T extends object>(
    resource: ResourceDefinition<T>,
    mapping: RequestMapping<T>,
    options?: WatchOptions<T>,
  ): ControllerBuilder;
  /** What is no resource: a timer, a message queue, a file. */
  from(source: Source): ControllerBuilder;
  options(options: ControllerOptions): ControllerBuilder;
  /** Adds the controller to the manager. */
  reconcile(reconciler: Reconciler): Controller;
}

export interface BuilderParts {
  readonly name: string;
  readonly defaults: ControllerOptions;
  readonly environment: ControllerEnvironment;
  readonly add: (controller: Controller) => void;
}

export function createControllerBuilder({ name, defaults, environment, add }: BuilderParts): ControllerBuilder {
  const sources: (() => Source)[] = [];
  let reconciled: ResourceDefinition<object> | undefined;
  let options: ControllerOptions = defaults;
  const owner = (): ResourceDefinition<object> => {
    if (reconciled !== undefined) return reconciled;
    throw new Error(`controller ${name}: owns() needs the kind of the owners: call for() with it`);
  };

  const builder: ControllerBuilder = {
    for(resource, watch) {
      if (reconciled !== undefined)
        throw new Error(
          `controller ${name}: for() should only be called once, could not assign multiple resources for reconciliation`,
        );
      reconciled = resource;
      sources.push(() =>
        watchResource(resource, (object) => [nameOf(object as CachedObject)], { ...watch, mapsOld: false }),
      );
      return builder;
    },
    owns<T extends object>(
      resource: ResourceDefinition<T>,
      { everyOwner = false, ...watch }: WatchOptions<T> & { readonly everyOwner?: boolean } = {},
    ) {
      const mapping = (object: DeepReadonly<T>) => ownerNames(object as CachedObject, owner(), everyOwner);
      sources.push(() => {
        owner(); // a missing one is reported now and not by the first event
        return watchResource(resource, mapping, watch);
      });
      return builder;
    },
    watches(resource, mapping, watch) {
      sources.push(() => watchResource(resource, mapping, watch));
      return builder;
    },
    from(source) {
      sources.push(() => source);
      return builder;
    },
    options(given) {
      options = { ...options, ...given };
      return builder;
    },
    reconcile(reconcile) {
      if (sources.length === 0)
        throw new Error(
          `controller ${name}: there are no watches configured, controller will never get triggered. Use for(), owns(), watches() or from() to set them up`,
        );
      const controller = createController({
        name,
        sources: sources.map((make) => make()),
        options,
        reconcile,
        environment,
      });
      add(controller);
      return controller;
    },
  };
  return builder;
}
