export { type JwtAlgorithm, keySet, type SigningKey, signingKey, type VerificationKey, verificationKey } from "./keys.js";
export { type JwtClaims, peekClaims, signToken, verifyToken } from "./token.js";
