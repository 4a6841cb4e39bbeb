export {
  type AccessAttributes,
  type AccessUser,
  createDelegatedAccess,
  type DelegatedAccess,
  type DelegatedAccessOptions,
  type PresentedCredentials,
  type RememberedFor,
} from "./delegated-access.js";
export { createPageGuard, type PageGuardOptions } from "./page-guard.js";
export type { AuthenticationReviews, AuthorizationReviews } from "./reviews.js";
