import type { ApiServer, AuthenticationOptions, Credentials, Listener } from "@coxswain/apiserver";
import {
  type ClusterCertificates,
  type EnsureCertificatesOptions,
  followCertificates,
  watchExpiry,
} from "@coxswain/component/certificates";
import { type Clock, systemClock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import type { Metrics } from "@coxswain/runtime/metrics";
import { type AggregationSetup, followAggregation } from "./aggregation-flags.js";
import { type AuthenticationSetup, followAuthorities } from "./authentication.js";
import type { AuthorizationSetup } from "./authorizers.js";
import { followKubelet, type KubeletSetup } from "./kubelet-flags.js";
import type { ListeningSetup } from "./listening-flags.js";
import { certificateUses, followCredentials, readCredentials } from "./tls-files.js";

export interface FollowedSetups {
  readonly listening: Pick<ListeningSetup, "tls">;
  readonly authentication: AuthenticationSetup;
  readonly authorization: AuthorizationSetup;
  readonly kubelet: KubeletSetup;
  readonly aggregation: AggregationSetup;
}

/** Everything that takes effect while the server runs, when its file changes or its time comes. */
export function followFiles(
  options: FollowedSetups,
  parts: {
    readonly dataDir: string;
    readonly certificateOptions: EnsureCertificatesOptions & { readonly clock: Clock };
    /** At the start. */
    readonly certificates: ClusterCertificates;
    readonly credentials: Credentials;
    readonly authentication: AuthenticationOptions;
    readonly listener: Listener;
    readonly server: ApiServer;
    readonly metrics: Metrics;
    readonly log: Logger;
    /** The certificates of the data directory are others now, and in use. */
    onRenewed(certificates: ClusterCertificates): void;
  },
): { stop(): void } {
  const { credentials, authentication, listener, server, metrics, log } = parts;
  let current = parts.certificates;
  const certificates = (): ClusterCertificates => current;
  const expiry = watchExpiry({ clock: systemClock, log, metrics });
  expiry.set(certificateUses(credentials, authentication.requestHeader?.authority));
  const use = (changed: Credentials, own = certificates()): void =>
    followAuthorities(changed, options.authentication.read(own, changed.clientAuthority), { listener, server, expiry });
  const followed: { stop(): void }[] = [
    expiry,
    options.authorization.follow(server, log),
    followCredentials({ ...options.listening.tls, more: options.authentication.followed }, certificates, use, log),
    options.authentication.follow(server, log),
    followKubelet(options.kubelet, certificates, server, log),
    followAggregation(options.aggregation, certificates, server, log),
  ];
  /** Everything is read before anything is used: certificates that do not fit leave all as it was. */
  function useOwn(own: ClusterCertificates): void {
    const changed = readCredentials(options.listening.tls, own);
    const { certificate = "", key = "", authority } = options.kubelet.read(own);
    const proxy = options.aggregation.read(own).credentials;
    use(changed, own);
    server.replaceKubeletCredentials({ certificate, key, ...(authority === undefined ? {} : { authority }) });
    server.replaceProxyCredentials(proxy);
    current = own;
    parts.onRenewed(own);
  }
  followed.push(followCertificates(parts.dataDir, { ...parts.certificateOptions, log }, { current, use: useOwn }));
  return { stop: () => followed.forEach((each) => each.stop()) };
}
