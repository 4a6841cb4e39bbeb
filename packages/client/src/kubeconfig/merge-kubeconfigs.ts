import type { Kubeconfig, KubeconfigCluster, KubeconfigContext, KubeconfigUser } from "./kubeconfig.js";

/** An entry and the file it came from: relative paths in it are relative to that file. */
export interface Located<T> {
  readonly entry: T;
  readonly file: string | undefined;
}

/** Several files as one. */
export interface MergedKubeconfig {
  readonly clusters: ReadonlyMap<string, Located<KubeconfigCluster>>;
  readonly users: ReadonlyMap<string, Located<KubeconfigUser>>;
  readonly contexts: ReadonlyMap<string, Located<KubeconfigContext>>;
  readonly currentContext: Located<string> | undefined;
  /** All of them, in order. */
  readonly files: readonly string[];
}

/**
 * As the variable KUBECONFIG means it: of entries with one name the first file's counts, whole; the first file that sets
 * `current-context` sets it.
 */
export function mergeKubeconfigs(
  parts: readonly { readonly config: Kubeconfig; readonly file?: string | undefined }[],
): MergedKubeconfig {
  const clusters = new Map<string, Located<KubeconfigCluster>>();
  const users = new Map<string, Located<KubeconfigUser>>();
  const contexts = new Map<string, Located<KubeconfigContext>>();
  let currentContext: Located<string> | undefined;
  const keepFirst = <T>(
    map: Map<string, Located<T>>,
    name: string,
    entry: T | null,
    file: string | undefined,
  ): void => {
    if (!map.has(name)) map.set(name, { entry: entry ?? ({} as T), file });
  };
  for (const { config, file } of parts) {
    for (const { name, cluster } of config.clusters ?? []) keepFirst(clusters, name, cluster, file);
    for (const { name, user } of config.users ?? []) keepFirst(users, name, user, file);
    for (const { name, context } of config.contexts ?? []) keepFirst(contexts, name, context, file);
    if (config["current-context"]) currentContext ??= { entry: config["current-context"], file };
  }
  const files = parts.flatMap(({ file }) => (file === undefined ? [] : [file]));
  return { clusters, users, contexts, currentContext, files };
}
