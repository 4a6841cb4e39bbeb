export { type AccessCompilation, type AccessExpression, type AccessOutcome } from "./access-expression.js";
export {
  type ClaimedUser,
  type Claims,
  compileClaimsExpression,
  compileUserExpression,
} from "./claims-expressions.js";
export { compileReviewCondition, type ReviewSpec } from "./review-conditions.js";
