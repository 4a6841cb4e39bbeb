import { parseFieldSelector, parseLabelRequirements } from "@coxswain/apimachinery/selector";
import type { AccessAnswer, AccessQuestion, CheckAccess } from "@coxswain/cel/kubernetes";
import type { AskedSelector, Attributes, Authorizer, Decision } from "../../../authorization/attributes.js";
import type { UserInfo } from "../../../request/user-info.js";

/** Thrown out of an evaluation that needs a decision which is not known yet. */
class Undecided {
  readonly deciding: Promise<void>;
  constructor(deciding: Promise<void>) {
    this.deciding = deciding;
  }
}

/** Access checks of one request. The same question is asked once. */
export interface AccessChecks {
  readonly check: CheckAccess;
  /** Runs an evaluation, and again from its start for each decision that it had to wait for. It must have no effects. */
  run<T>(evaluate: () => T): T | Promise<T>;
}

/** Expressions are evaluated at once, but an authorizer may have to ask somebody else. */
export function createAccessChecks(authorizer: Authorizer): AccessChecks {
  const known = new Map<string, AccessAnswer>();
  function run<T>(evaluate: () => T): T | Promise<T> {
    try {
      return evaluate();
    } catch (thrown) {
      if (!(thrown instanceof Undecided)) throw thrown;
      return thrown.deciding.then(() => run(evaluate));
    }
  }
  return {
    run,
    check(question) {
      const key = JSON.stringify(question);
      const found = known.get(key);
      if (found) return found;
      const decision = authorizer(attributesOf(question));
      if (decision instanceof Promise)
        throw new Undecided(
          decision.then(
            (decided) => void known.set(key, answerOf(decided)),
            (error: unknown) =>
              void known.set(key, {
                isAllowed: false,
                reason: "",
                error: error instanceof Error ? error.message : String(error),
              }),
          ),
        );
      const answer = answerOf(decision);
      known.set(key, answer);
      return answer;
    },
  };
}

const answerOf = ({ decision, reason, error }: Decision): AccessAnswer => ({
  isAllowed: decision === "allow",
  reason,
  ...(error !== undefined && { error }),
});

function attributesOf({ fieldSelector, labelSelector, ...question }: AccessQuestion): Attributes {
  return {
    ...question,
    user: question.user as UserInfo,
    version: question.isResource ? "*" : "",
    ...(fieldSelector !== "" && { fieldSelector: asked(() => parseFieldSelector(fieldSelector).requirements) }),
    ...(labelSelector !== "" && { labelSelector: asked(() => parseLabelRequirements(labelSelector)) }),
  };
}

function asked<Requirement>(parse: () => readonly Requirement[]): AskedSelector<Requirement> {
  try {
    return { requirements: parse() };
  } catch (error) {
    return { requirements: [], error: error instanceof Error ? error.message : String(error) };
  }
}
