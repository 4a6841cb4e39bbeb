// What was written to one object or kind, in order, from the cluster's log.
import type { TestCluster } from "@coxswain/testkit";

export interface Written<T> {
  /** Undefined: it was deleted. */
  readonly object: T | undefined;
  readonly key: string;
  readonly user: string;
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** `prefix`: of the keys, such as `/registry/configmaps/default/`. */
export const written = <T>(cluster: TestCluster, prefix: string): Written<T>[] =>
  cluster
    .log()
    .filter(({ key }) => key.startsWith(prefix))
    .map(({ key, value, note, revision }) => ({
      key,
      revision,
      user: note?.user ?? "",
      time: note?.time ?? 0,
      object: value === undefined ? undefined : (JSON.parse(new TextDecoder().decode(value)) as T),
    }));
