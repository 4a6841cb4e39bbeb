export { isJwtAlgorithm, type JwtAlgorithm, jwtAlgorithms } from "./algorithms.js";
export {
  keySet,
  type PublishedKey,
  readKeySet,
  type SigningKey,
  signingKey,
  type VerificationKey,
  verificationKey,
  verificationKeys,
} from "./keys.js";
export {
  claimsPart,
  type JwtClaims,
  type JwtHeader,
  peekClaims,
  peekHeader,
  signToken,
  verifyPublished,
  verifyToken,
} from "./token.js";
