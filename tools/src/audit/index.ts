export { type Audited, playAudited } from "./play-audited.js";
export { auditTokens } from "./tokens.js";
