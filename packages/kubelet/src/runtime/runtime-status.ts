/** Whether the runtime can take pods, and what it can do. */
export interface RuntimeStatus {
  /** "RuntimeReady", "NetworkReady", and what else it reports. */
  readonly conditions: readonly RuntimeCondition[];
  /** By name; the default has the empty name. */
  readonly handlers: readonly RuntimeHandler[];
  readonly features: { readonly supplementalGroupsPolicy: boolean };
}

export interface RuntimeCondition {
  readonly type: string;
  readonly status: boolean;
  readonly reason: string;
  readonly message: string;
}

export interface RuntimeHandler {
  readonly name: string;
  readonly recursiveReadOnlyMounts: boolean;
  readonly userNamespaces: boolean;
}
