/** TokenReviews of the API server, as `@coxswain/client` makes them. */
export interface AuthenticationReviews {
  readonly authentication: {
    readonly v1: {
      tokenreviews(): {
        create(review: { spec: { token: string } }): Promise<{
          readonly status?: {
            readonly authenticated?: boolean;
            readonly user?: {
              readonly username?: string;
              readonly uid?: string;
              readonly groups?: readonly string[];
              readonly extra?: Readonly<Record<string, readonly string[]>>;
            };
          };
        }>;
      };
    };
  };
}

/** SubjectAccessReviews of the API server, as `@coxswain/client` makes them. */
export interface AuthorizationReviews {
  readonly authorization: {
    readonly v1: {
      subjectaccessreviews(): {
        create(review: { spec: SubjectAccess }): Promise<{ readonly status?: { readonly allowed?: boolean } }>;
      };
    };
  };
}

export interface SubjectAccess {
  user: string;
  groups: string[];
  uid?: string;
  extra?: Record<string, string[]>;
  nonResourceAttributes?: { path: string; verb: string };
  resourceAttributes?: { verb: string; version: string; resource: string; subresource: string; name: string };
}
