/** One question to an authorizer, as a SubjectAccessReview asks it. Members that are "" are left out of the review. */
export interface Question {
  readonly user: string;
  readonly groups: readonly string[];
  readonly verb: string;
  /** Not "": what is asked for is no resource, and the members below are "". */
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly namespace: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

/** What is left out of the review. */
export const blankQuestion: Question = {
  user: "",
  groups: [],
  verb: "",
  path: "",
  group: "",
  resource: "",
  subresource: "",
  name: "",
  namespace: "",
  fieldSelector: "",
  labelSelector: "",
};

/** What of a review's status counts. */
export interface Verdict {
  readonly allowed: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
  readonly evaluationError?: string;
}

export function reviewOf(question: Question): object {
  const { user, groups, verb, path, group, resource, subresource, name, namespace, fieldSelector, labelSelector } =
    question;
  const about =
    path === ""
      ? {
          resourceAttributes: {
            ...present({ verb, group, resource, subresource, name, namespace }),
            ...(fieldSelector === "" ? {} : { fieldSelector: { rawSelector: fieldSelector } }),
            ...(labelSelector === "" ? {} : { labelSelector: { rawSelector: labelSelector } }),
          },
        }
      : { nonResourceAttributes: present({ verb, path }) };
  return {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: { ...present({ user }), ...(groups.length === 0 ? {} : { groups }), ...about },
  };
}

const present = (members: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ""));

export const reviewPath = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
