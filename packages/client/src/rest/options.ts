/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** To the end of the answer, each try by itself. @default the client's `timeoutMs` */
  readonly timeoutMs?: number;
  /** Sent with the request, names in lower case. @default none but the client's own */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GetOptions extends CallOptions {
  /** "0": whatever the server has at hand. @default the newest */
  readonly resourceVersion?: string;
}

export interface WriteOptions extends CallOptions {
  /** Everything but the write itself: validation, defaults, admission. @default false */
  readonly dryRun?: boolean;
  /** Who owns the fields that this sets. @default from the user agent, by the server */
  readonly fieldManager?: string;
  /** What to do about unknown and duplicate fields. @default "Warn", by the server */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
}

export interface PatchOptions extends WriteOptions {}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes fields from other managers instead of failing with a conflict. @default false */
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  /** Deletes only the object with this uid or in this version; another is a conflict. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** Deletes an object that cannot be decrypted or decoded, without its finalizers. May break the cluster. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}
