/** How many keys a controller works on at once: the flag, the controller, upstream's default. */
const rows = [
  ["concurrent-cron-job-syncs", "cronjob-controller", 5],
  ["concurrent-daemonset-syncs", "daemonset-controller", 2],
  ["concurrent-deployment-syncs", "deployment-controller", 5],
  ["concurrent-device-taint-eviction-syncs", "device-taint-eviction-controller", 8],
  ["concurrent-endpoint-syncs", "endpoints-controller", 5],
  ["concurrent-ephemeralvolume-syncs", "ephemeral-volume-controller", 5],
  ["concurrent-gc-syncs", "garbage-collector-controller", 20],
  ["concurrent-horizontal-pod-autoscaler-syncs", "horizontal-pod-autoscaler-controller", 5],
  ["concurrent-job-syncs", "job-controller", 5],
  ["concurrent-namespace-syncs", "namespace-controller", 10],
  ["concurrent-rc-syncs", "replicationcontroller-controller", 5],
  ["concurrent-replicaset-syncs", "replicaset-controller", 5],
  ["concurrent-resource-quota-syncs", "resourcequota-controller", 5],
  ["concurrent-resourceclaim-syncs", "resourceclaim-controller", 50],
  ["concurrent-service-endpoint-syncs", "endpointslice-controller", 5],
  ["concurrent-serviceaccount-token-syncs", "serviceaccount-token-controller", 5],
  ["concurrent-statefulset-syncs", "statefulset-controller", 5],
  ["concurrent-ttl-after-finished-syncs", "ttl-after-finished-controller", 5],
  ["concurrent-validating-admission-policy-status-syncs", "validatingadmissionpolicy-status-controller", 5],
  ["mirroring-concurrent-service-endpoint-syncs", "endpointslice-mirroring-controller", 5],
] as const;

export interface ConcurrencyFlag {
  readonly group: string;
  readonly type: "integer";
  readonly default: number;
  readonly min: number;
  readonly value: string;
  readonly help: string;
}

export const concurrencyFlags = Object.fromEntries(
  rows.map(([flag, controller, usual]) => [
    flag,
    {
      group: "Concurrency",
      type: "integer",
      default: usual,
      min: 1,
      value: "n",
      help: `How many objects the ${controller} works on at once.`,
    },
  ]),
) as { readonly [Name in (typeof rows)[number][0]]: ConcurrencyFlag };

/** By controller, given the values of the flags by name. */
export const concurrencyFrom = (valueOf: (flag: string) => number): Record<string, number> =>
  Object.fromEntries(rows.map(([flag, controller]) => [controller, valueOf(flag)]));
