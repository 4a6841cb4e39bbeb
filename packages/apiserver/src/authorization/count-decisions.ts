import type { Metrics } from "@coxswain/component/metrics";
import type { Authorizer, Decision } from "./attributes.js";
import type { AuthorizerConfig } from "./authorizer-config.js";

/** The same authorizer, and what it decides is counted under its type and name. */
export type CountDecisions = (config: Pick<AuthorizerConfig, "type" | "name">, authorizer: Authorizer) => Authorizer;

export function countDecisions(metrics: Metrics): CountDecisions {
  const total = metrics.counter({ name: "apiserver_authorization_decisions_total", help: "Questions that an authorizer has decided, by its type and name and by its answer.", labels: ["type", "name", "decision"], stability: "ALPHA" });
  return ({ type, name }, authorizer) => {
    const count = (answer: Decision): Decision => {
      if (answer.decision !== "no opinion") total.with(type, name, answer.decision === "allow" ? "allowed" : "denied").add(1);
      return answer;
    };
    return (attributes) => {
      const answer = authorizer(attributes);
      return answer instanceof Promise ? answer.then(count) : count(answer);
    };
  };
}
