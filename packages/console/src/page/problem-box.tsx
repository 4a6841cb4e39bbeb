import type { Problem } from "../contract/messages.js";

/** What went wrong, in the server's words; and for a refusal what would have to be allowed. */
export function ProblemBox({ problem }: { readonly problem: Problem }) {
  const rule = problem.reason === "Forbidden" ? missingRule(problem.message) : undefined;
  return (
    <div class="problem" role="alert">
      <strong>{problem.reason === "" ? "It did not work" : problem.reason}</strong>
      <p>{problem.message}</p>
      {isOwnedByOthers.test(problem.message) && (
        <p>
          Each of these fields belongs to the manager that is named. Leave them out of the document and they stay as
          they are; “Apply by force” sets them and takes them over.
        </p>
      )}
      {rule && (
        <p>
          A Role with this rule would allow it: <code>{rule}</code>
        </p>
      )}
    </div>
  );
}

/** How a server refuses an apply (`NewConflictError` of structured-merge-diff's users in apiserver). */
const isOwnedByOthers = /^Apply failed with \d+ conflict/;

/** Pure: the rule that a refusal of RBAC asks for. */
export function missingRule(message: string): string | undefined {
  const [, verb, resource, group] = /cannot (\w+) resource "([^"]+)" in API group "([^"]*)"/.exec(message) ?? [];
  return verb === undefined ? undefined : `{apiGroups: ["${group}"], resources: ["${resource}"], verbs: ["${verb}"]}`;
}
