/** What compiles the expressions of authentication and authorization configurations: CEL, which is large. */
export type AccessExpressions = typeof import("@coxswain/cel/access");

export const loadAccessExpressions = (): Promise<AccessExpressions> => import("@coxswain/cel/access");

export function requireExpressions(expressions: AccessExpressions | undefined): AccessExpressions {
  if (!expressions) throw new Error("expressions cannot be used here: there is no compiler for them");
  return expressions;
}
