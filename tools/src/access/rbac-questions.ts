import { type RandomSource, randomInt } from "@coxswain/runtime/random";
import { blankQuestion, type Question } from "./question.js";
import { accounts, groups, names, namespaces, resources, users, verbs } from "./rbac-world.js";

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** What a server has: every binding with its subjects, and the rules of the role that it is to. */
export interface Policy {
  readonly bindings: readonly {
    readonly namespace: string;
    readonly subjects: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
    readonly rules: readonly Rule[];
  }[];
}

/** Half of the questions are about what somebody may do, with one thing changed in every other; the rest is chance. */
export function rbacQuestions({ bindings }: Policy, random: RandomSource, count: number): Question[] {
  const pick = <T>(list: readonly T[]): T => list[randomInt(list.length, random)] as T;
  const chance = (one: number): boolean => randomInt(one, random) === 0;
  const bound = bindings.filter(({ subjects, rules }) => subjects.length > 0 && rules.length > 0);

  function anybody(): Pick<Question, "user" | "groups"> {
    const account = `system:serviceaccount:${pick(namespaces)}:${pick(accounts)}`;
    return chance(4)
      ? { user: account, groups: ["system:serviceaccounts", "system:authenticated"] }
      : { user: pick(users), groups: chance(2) ? [] : [pick(groups), ...(chance(3) ? ["system:authenticated"] : [])] };
  }

  function bySubject({
    kind,
    name,
    namespace = "",
  }: {
    kind: string;
    name: string;
    namespace?: string;
  }): Pick<Question, "user" | "groups"> {
    if (kind === "Group") return { user: chance(2) ? pick(users) : "nobody", groups: [name] };
    return {
      user: kind === "User" ? name : `system:serviceaccount:${namespace}:${name}`,
      groups: chance(3) ? ["system:authenticated"] : [],
    };
  }

  function byRule(): Question {
    const { namespace, subjects, rules } = pick(bound);
    const rule = pick(rules);
    const who = bySubject(pick(subjects));
    const verb = pick(rule.verbs).replace("*", pick(verbs));
    if ((rule.nonResourceURLs?.length ?? 0) > 0)
      return {
        ...blankQuestion,
        ...who,
        verb,
        path: `${pick(rule.nonResourceURLs ?? []).replace("*", pick(["", "x", "x/y"]))}`.padStart(1, "/"),
      };
    const [resource = "", subresource = ""] = pick(rule.resources ?? ["pods"]).split("/");
    const name = (rule.resourceNames?.length ?? 0) > 0 ? pick(rule.resourceNames ?? []) : chance(2) ? pick(names) : "";
    return {
      ...blankQuestion,
      ...who,
      verb,
      group: pick(rule.apiGroups ?? [""]).replace("*", "apps"),
      resource: resource === "*" ? pick(["pods", "deployments", "widgets"]) : resource,
      subresource,
      name,
      namespace: namespace || (chance(2) ? pick(namespaces) : ""),
    };
  }

  function byChance(): Question {
    if (chance(8))
      return {
        ...blankQuestion,
        ...anybody(),
        verb: pick(["get", "post", "put"]),
        path: pick([
          "/healthz",
          "/metrics",
          "/logs/a",
          "/version",
          "/api",
          "/apis/apps",
          "/a/b/c",
          "/openapi/v3",
          "/.well-known/openid-configuration",
          "/statusz",
        ]),
      };
    const [resource = "", subresource = ""] = pick(resources).split("/");
    return {
      ...blankQuestion,
      ...anybody(),
      verb: pick(verbs),
      group: pick(["", "apps", "batch", "example.com"]),
      resource,
      subresource,
      name: chance(2) ? pick(names) : "",
      namespace: chance(4) ? "" : pick(namespaces),
    };
  }

  const changes: ((question: Question) => Question)[] = [
    (question) => ({ ...question, verb: pick(verbs) }),
    (question) => ({ ...question, ...anybody() }),
    (question) =>
      question.path === ""
        ? { ...question, namespace: pick(["", "other", ...namespaces]) }
        : { ...question, path: `${question.path}z` },
    (question) =>
      question.path === ""
        ? {
            ...question,
            resource: pick(["pods", "secrets", "nodes", "widgets"]),
            subresource: pick(["", "", "status", "scale"]),
          }
        : question,
    (question) => (question.path === "" ? { ...question, name: pick(["", ...names, "other"]) } : question),
    (question) =>
      question.path === ""
        ? {
            ...question,
            fieldSelector: pick(["metadata.name=one", "spec.nodeName=n1", "a=b=c", "status.phase!=Running"]),
            labelSelector: pick(["", "app=x", "app in (x", "!app"]),
          }
        : question,
  ];

  return Array.from({ length: count }, () => {
    if (chance(3)) return byChance();
    const question = byRule();
    return chance(2) ? question : pick(changes)(question);
  });
}
