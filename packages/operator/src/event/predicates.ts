import { equalJson } from "@coxswain/apimachinery/json";
import type { ResourceEvent } from "./resource-event.js";

/** Whether an event wakes the controller. */
export type Predicate<T = WatchedObject> = (event: ResourceEvent<T>) => boolean;

/** As much of an object as the predicates here look at. */
export interface WatchedObject {
  readonly metadata?: {
    readonly name?: string;
    readonly generation?: number;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

type Member = keyof NonNullable<WatchedObject["metadata"]>;

/** Creations and deletions always pass, updates only where this part of the metadata is another than before. */
const changed =
  (member: Member): Predicate =>
  (event) =>
    event.type !== "update" || !equalJson(event.old.metadata?.[member] ?? {}, event.object.metadata?.[member] ?? {});

/**
 * Updates pass only when the spec changed: writes of metadata and of a status that is a subresource do not raise the generation.
 * Not for kinds without a generation (ConfigMaps, Secrets), whose updates it would all drop.
 */
export const generationChanged: Predicate = changed("generation");
/** Updates that are resyncs do not pass. */
export const resourceVersionChanged: Predicate = changed("resourceVersion");
export const labelChanged: Predicate = changed("labels");
export const annotationChanged: Predicate = changed("annotations");

export const allOf =
  <T>(...predicates: readonly Predicate<T>[]): Predicate<T> =>
  (event) =>
    predicates.every((passes) => passes(event));

export const anyOf =
  <T>(...predicates: readonly Predicate<T>[]): Predicate<T> =>
  (event) =>
    predicates.some((passes) => passes(event));

export const not =
  <T>(predicate: Predicate<T>): Predicate<T> =>
  (event) =>
    !predicate(event);

/** Events of objects that the function accepts; of an update, the state afterwards counts. */
export const objectMatches =
  <T>(accepts: (object: T) => boolean): Predicate<T> =>
  (event) =>
    accepts(event.object);
