/** Budgets of evaluation, in units of cost. Upstream takes a million for a tenth of a second. */
export const celLimits = {
  /** One expression, once. */
  perCall: 1_000_000,
  /** All rules of a custom resource, or all of a policy binding, for one object. */
  perObject: 10_000_000,
  /** All match conditions of a webhook or policy for one request. */
  matchConditions: 2_500_000,
  /** Bytes that a message expression may make. */
  messageBytes: 5 * 1024,
  /** Bytes of the largest request: what bounds lists and strings without a limit of their own. */
  requestBytes: 3 * 1024 * 1024,
} as const;
