export {
  answerOf,
  type Attack,
  type AttackAnswer,
  attackConfiguration,
  attackIssuer,
  type AttackRequest,
  attackTokens,
  makeAttacks,
  type SendAttack,
} from "./attacks.js";
