/** An API group as discovery orders it: by priority, then by name. */
export interface GroupInfo {
  /** "" for the core group. */
  readonly group: string;
  /** groupPriorityMinimum of its APIServices; higher comes first. */
  readonly priority: number;
  /** The preferred version first; clients see only those that are served. */
  readonly versions: readonly VersionInfo[];
}

export interface VersionInfo {
  readonly version: string;
  /** versionPriority of its APIService; higher comes first. */
  readonly priority: number;
  readonly servedByDefault: boolean;
}
