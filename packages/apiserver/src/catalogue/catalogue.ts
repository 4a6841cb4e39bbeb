import type { AnyKind } from "@coxswain/kinds";
import type { RequestInfo } from "../request/request-info.js";
import type { ApiSource, Route } from "./api-source.js";

/** What is served now. It changes while the server runs: a CustomResourceDefinition is applied, an APIService goes away. */
export interface Catalogue {
  /** Grows with every change; what was made from the catalogue holds as long as it is the same. */
  readonly generation: number;
  /** The first source that serves it, in the order of delegation: aggregated, built-in, custom. */
  resolve(info: RequestInfo): Route | undefined;
  hasGroup(group: string): boolean;
  /** Of all sources, in their order; the same array as long as the generation is the same. */
  kinds(): readonly AnyKind[];
  /** Called after each change. @returns how to end it */
  onChange(listener: () => void): () => void;
}

/** The catalogue in the hands of those who change it. */
export interface EditableCatalogue extends Catalogue {
  /** Makes a change to the sources, then notifies. */
  change(edit: () => void): void;
}

/** `sources` in the order in which they are asked. */
export function createCatalogue(sources: readonly ApiSource[]): EditableCatalogue {
  let generation = 1;
  let all: { readonly generation: number; readonly kinds: readonly AnyKind[] } | undefined;
  const listeners = new Set<() => void>();
  return {
    get generation() {
      return generation;
    },
    resolve(info) {
      for (const source of sources) {
        const route = source.resolve(info);
        if (route) return route;
      }
      return undefined;
    },
    hasGroup: (group) => sources.some((source) => source.hasGroup(group)),
    kinds() {
      if (all?.generation !== generation) all = { generation, kinds: sources.flatMap((source) => source.kinds()) };
      return all.kinds;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(edit) {
      edit();
      generation += 1;
      for (const listener of Array.from(listeners)) listener();
    },
  };
}

/** What `make` makes of the catalogue, made anew for each generation when it is asked for. */
export function perGeneration<T>(catalogue: Pick<Catalogue, "generation">, make: () => T): () => T {
  let made: { readonly generation: number; readonly value: T } | undefined;
  return () => {
    if (made?.generation !== catalogue.generation) made = { generation: catalogue.generation, value: make() };
    return made.value;
  };
}
