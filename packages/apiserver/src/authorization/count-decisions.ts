import type { CounterSeries, Metrics } from "@coxswain/runtime/metrics";
import type { Authorizer, Decision } from "./attributes.js";
import type { AuthorizerConfig } from "./authorizer-config.js";

/** The same authorizer, and what it decides is counted under its type and name. */
export type CountDecisions = (config: Pick<AuthorizerConfig, "type" | "name">, authorizer: Authorizer) => Authorizer;

export function countDecisions(metrics: Metrics): CountDecisions {
  const total = metrics.counter({
    name: "apiserver_authorization_decisions_total",
    help: "Questions that an authorizer has decided, by its type and name and by its answer.",
    labels: ["type", "name", "decision"],
    stability: "ALPHA",
  });
  return ({ type, name }, authorizer) => {
    let allowed: CounterSeries | undefined;
    let denied: CounterSeries | undefined;
    const count = (answer: Decision): Decision => {
      if (answer.decision === "allow") (allowed ??= total.with(type, name, "allowed")).add(1);
      else if (answer.decision === "deny") (denied ??= total.with(type, name, "denied")).add(1);
      return answer;
    };
    return (attributes) => {
      const answer = authorizer(attributes);
      return answer instanceof Promise ? answer.then(count) : count(answer);
    };
  };
}
