/** Who may come without credentials. */
export interface AnonymousOptions {
  readonly enabled: boolean;
  /** Exactly these paths; none: every path. */
  readonly paths: readonly string[];
}

/** Probes send no credentials; other clients without credentials are refused unless the operator allows them. */
export const anonymousForHealth: AnonymousOptions = { enabled: true, paths: ["/livez", "/readyz", "/healthz"] };

export const mayBeAnonymous = ({ enabled, paths }: AnonymousOptions, path: string): boolean =>
  enabled && (paths.length === 0 || paths.includes(path));
