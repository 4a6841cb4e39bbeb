import { createSecureContext } from "node:tls";
import { type WatchedFiles, watchFiles } from "@coxswain/component/serving";
import type { Logger } from "@coxswain/runtime/log";

/** What the server shows to other servers, as PEM. */
export interface ClientCredentials {
  readonly certificate?: string;
  readonly key?: string;
  /** The authorities it trusts. */
  readonly authority?: string;
}

export interface FollowedCredentials<T extends ClientCredentials> {
  readonly files: readonly string[];
  read(): T;
  use(credentials: T): void;
  /** For the log: "kubelets". */
  readonly whom: string;
}

/** Uses what the files contain whenever they change. A pair that does not match (yet) leaves everything as it was, and is logged. */
export function followClientCredentials<T extends ClientCredentials>(
  { files, read, use, whom }: FollowedCredentials<T>,
  log: Pick<Logger, "info" | "warn">,
): WatchedFiles {
  return watchFiles(files, () => {
    try {
      const credentials = read();
      const { certificate = "", key = "", authority } = credentials;
      createSecureContext({ cert: certificate, key, ...(authority === undefined ? {} : { ca: authority }) });
      use(credentials);
      log.info(`new certificates are in use for ${whom}`);
    } catch (error) {
      log.warn(`the certificates for ${whom} that changed cannot be used; the old ones stay`, { error });
    }
  });
}
