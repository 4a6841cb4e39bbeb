import type { ControlOptions } from "@coxswain/cluster";
import { signingFirst } from "@coxswain/component/certificates";
import type { FeatureGates } from "@coxswain/component/feature-gates";
import type { RootCa } from "@coxswain/controllers";
import type { SchedulerConfig } from "@coxswain/scheduler";
import { forAllSigners, keySettings } from "../controller-manager/key-settings.js";
import { postToExtender } from "../scheduler/post-to-extender.js";

/** Of the cluster's authority, in PEM. */
export interface SigningKeys {
  readonly certificate: string;
  readonly key: string;
}

/** What controllers sign with. */
export interface ClusterKeys {
  readonly serviceAccountKey: string;
  /** As they are now: they are renewed while the cluster runs. */
  authority(): SigningKeys;
  onRenewed(listener: () => void): void;
}

export interface ControlChoices {
  readonly controllers: readonly string[];
  /** How long certificates are valid that the cluster signs for others, in milliseconds. */
  readonly signingDurationMs: number;
  /** Pod networks of real nodes; undefined: nodes choose theirs. */
  readonly clusterCidrs?: readonly string[] | undefined;
}

/** What controllers and the scheduler of a local cluster are given, whichever process they run in. */
export const controlSettings = (
  { controllers, signingDurationMs, clusterCidrs }: ControlChoices,
  keys: ClusterKeys,
  { scheduler, featureGates }: { readonly scheduler: SchedulerConfig; readonly featureGates: FeatureGates },
): Omit<ControlOptions, "runtime" | "clientOf"> => ({
  controllers,
  controllerSettings: {
    // Time for `kubectl delete -f` of a namespace together with what is in it: what is gone already is an error there.
    namespaceDeletionGraceMs: 1000,
    rootCa: rootCaOf(keys),
    ...(clusterCidrs && { nodeIpam: { clusterCidrs } }),
    ...keySettings({
      serviceAccountKey: keys.serviceAccountKey,
      authorities: forAllSigners(() => keys.authority()),
      certificateDurationMs: signingDurationMs,
    }),
  },
  scheduler,
  postToExtender,
  featureGates,
});

/** Where it is published, what signs now comes first: nodes that joined know by it when to be signed anew. */
const rootCaOf = ({ authority, onRenewed }: ClusterKeys): RootCa => ({
  current() {
    const { certificate, key } = authority();
    return signingFirst(certificate, key);
  },
  onChange: onRenewed,
});
