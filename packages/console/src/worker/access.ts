import type { RestClient } from "@coxswain/client";
import type { AccessAnswer, Calls } from "../contract/messages.js";

const accessVerbs = ["get", "list", "watch", "create", "update", "patch", "delete"] as const;

/** Reviews at once: a matrix is some 150 of them. */
const parallel = 16;

/** Asks the server's authorizers about each verb on each resource: for oneself, or for somebody else. */
export async function readAccess(
  rest: RestClient,
  { user, groups, namespace, resources }: Calls["access"]["params"],
): Promise<AccessAnswer[]> {
  const questions = resources.flatMap((resource) => accessVerbs.map((verb) => ({ ...resource, verb })));
  const answers: AccessAnswer[] = Array.from({ length: questions.length });
  let next = 0;
  const ask = async (): Promise<void> => {
    for (let at = next++; at < questions.length; at = next++) {
      const question = questions[at];
      if (question) answers[at] = await review(rest, { user, groups, namespace }, question);
    }
  };
  await Promise.all(Array.from({ length: parallel }, ask));
  return answers;
}

async function review(
  rest: RestClient,
  { user, groups, namespace }: Omit<Calls["access"]["params"], "resources">,
  { group, resource, verb }: Pick<AccessAnswer, "group" | "resource" | "verb">,
): Promise<AccessAnswer> {
  const resourceAttributes = { verb, group, resource, ...(namespace !== "" && { namespace }) };
  const kind = user === "" ? "SelfSubjectAccessReview" : "SubjectAccessReview";
  const spec = user === "" ? { resourceAttributes } : { user, groups, resourceAttributes };
  const answer = (await rest.send({
    method: "POST",
    path: `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`,
    body: { as: "value", value: { apiVersion: "authorization.k8s.io/v1", kind, spec } },
  })) as { status?: { allowed?: boolean; reason?: string } };
  return { group, resource, verb, isAllowed: answer.status?.allowed ?? false, reason: answer.status?.reason ?? "" };
}
