import { type Environment } from "../environment/environment.js";
import { declaredList, declaredMap, declaredNamed, declaredString } from "../kubernetes/declared-type.js";
import { declaredTypeProvider } from "../kubernetes/declared-types.js";
import { createBaseEnvironments } from "../kubernetes/environments.js";
import { anyType, mapType, stringType, type Type } from "../types/type.js";
import { type AccessCompilation, compileAccessExpression } from "./access-expression.js";
import { claimsToValue } from "./claims-value.js";

/** Claims of a token by their names. */
export type Claims = Readonly<Record<string, unknown>>;

/** What rules for users see. */
export interface ClaimedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const texts = declaredList(declaredString(), 0);
const userType = declaredNamed("kubernetes.UserInfo", {
  username: declaredString(),
  uid: declaredString(),
  groups: texts,
  extra: declaredMap(texts, 0),
});

let environments: { readonly claims: Environment; readonly user: Environment } | undefined;

/** Such expressions stand in files and are never rolled back: they may use all there is. */
function createEnvironments(): { readonly claims: Environment; readonly user: Environment } {
  const { forStored } = createBaseEnvironments();
  return {
    claims: forStored.extend({ variables: { claims: mapType(stringType, anyType) } }),
    user: forStored.extend({ variables: { user: userType.type }, providers: [declaredTypeProvider([userType])] }),
  };
}

const notBool = (type: Type): string | undefined => (type.kind === "bool" ? undefined : "must evaluate to bool");

/** `returns`: a claim may be of any type, which shows when it is evaluated. */
export function compileClaimsExpression(expression: string, returns: "bool" | "any"): AccessCompilation<Claims> {
  const { claims } = (environments ??= createEnvironments());
  return compileAccessExpression(
    { environment: claims, variable: "claims", toValue: claimsToValue },
    expression,
    returns === "bool" ? notBool : () => undefined,
  );
}

export function compileUserExpression(expression: string): AccessCompilation<ClaimedUser> {
  const { user } = (environments ??= createEnvironments());
  return compileAccessExpression({ environment: user, variable: "user", toValue: claimsToValue }, expression, notBool);
}
