/** What is large and not always needed, such as CEL: loaded once, when it is first asked for. */
export interface LazyModule<T> {
  /** Undefined until it was loaded once. */
  readonly loaded: T | undefined;
  load(): Promise<T>;
}

export function createLazyModule<T>(read: () => Promise<T>): LazyModule<T> {
  let loading: Promise<T> | undefined;
  let loaded: T | undefined;
  return {
    get loaded() {
      return loaded;
    },
    load: () => (loading ??= read().then((module) => (loaded = module))),
  };
}
