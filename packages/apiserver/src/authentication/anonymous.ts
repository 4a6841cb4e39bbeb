/** Who may come without credentials. */
export interface AnonymousOptions {
  readonly enabled: boolean;
  /** Exactly these paths; none: every path. */
  readonly paths: readonly string[];
}

/**
 * Probes send no credentials, and some tools ask for the version before they have any; upstream's `system:public-info-viewer` lets everybody
 * see these. Other clients without credentials are refused unless the operator allows them.
 */
export const anonymousForHealth: AnonymousOptions = {
  enabled: true,
  paths: ["/livez", "/readyz", "/healthz", "/version"],
};

export const mayBeAnonymous = ({ enabled, paths }: AnonymousOptions, path: string): boolean =>
  enabled && (paths.length === 0 || paths.includes(path));
