/** Who may come without credentials. */
export interface AnonymousOptions {
  readonly enabled: boolean;
  /** Exactly these paths; none: every path. */
  readonly paths: readonly string[];
}

/** Probes come without credentials; nobody else does unless the operator says so. */
export const anonymousForHealth: AnonymousOptions = { enabled: true, paths: ["/livez", "/readyz", "/healthz"] };

export const mayBeAnonymous = ({ enabled, paths }: AnonymousOptions, path: string): boolean =>
  enabled && (paths.length === 0 || paths.includes(path));
