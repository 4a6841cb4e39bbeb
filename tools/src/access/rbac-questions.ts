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

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** What a server has: every binding with its subjects, and the rules of the role that it is to. */
export interface Policy {
  readonly bindings: readonly {
    readonly namespace: string;
    readonly subjects: readonly Subject[];
    readonly rules: readonly Rule[];
  }[];
}

interface Draw {
  readonly pick: <T>(list: readonly T[]) => T;
  /** True one time in so many. */
  readonly chance: (one: number) => boolean;
}

/** Half of the questions are about what somebody may do, with one thing changed in every other; the rest is chance. */
export function rbacQuestions({ bindings }: Policy, random: RandomSource, count: number): Question[] {
  const draw: Draw = {
    pick: (list) => list[randomInt(list.length, random)] as (typeof list)[number],
    chance: (one) => randomInt(one, random) === 0,
  };
  const bound = bindings.filter(({ subjects, rules }) => subjects.length > 0 && rules.length > 0);
  return Array.from({ length: count }, () => {
    if (draw.chance(3)) return byChance(draw);
    const question = byRule(bound, draw);
    return draw.chance(2) ? question : draw.pick(changes)(question, draw);
  });
}

function anybody({ pick, chance }: Draw): Pick<Question, "user" | "groups"> {
  const account = `system:serviceaccount:${pick(namespaces)}:${pick(accounts)}`;
  return chance(4)
    ? { user: account, groups: ["system:serviceaccounts", "system:authenticated"] }
    : { user: pick(users), groups: chance(2) ? [] : [pick(groups), ...(chance(3) ? ["system:authenticated"] : [])] };
}

function bySubject({ kind, name, namespace = "" }: Subject, { pick, chance }: Draw): Pick<Question, "user" | "groups"> {
  if (kind === "Group") return { user: chance(2) ? pick(users) : "nobody", groups: [name] };
  return {
    user: kind === "User" ? name : `system:serviceaccount:${namespace}:${name}`,
    groups: chance(3) ? ["system:authenticated"] : [],
  };
}

function byRule(bound: Policy["bindings"], draw: Draw): Question {
  const { pick, chance } = draw;
  const { namespace, subjects, rules } = pick(bound);
  const rule = pick(rules);
  const who = bySubject(pick(subjects), draw);
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

function byChance(draw: Draw): Question {
  const { pick, chance } = draw;
  if (chance(8))
    return {
      ...blankQuestion,
      ...anybody(draw),
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
    ...anybody(draw),
    verb: pick(verbs),
    group: pick(["", "apps", "batch", "example.com"]),
    resource,
    subresource,
    name: chance(2) ? pick(names) : "",
    namespace: chance(4) ? "" : pick(namespaces),
  };
}

const changes: readonly ((question: Question, draw: Draw) => Question)[] = [
  (question, { pick }) => ({ ...question, verb: pick(verbs) }),
  (question, draw) => ({ ...question, ...anybody(draw) }),
  (question, { pick }) =>
    question.path === ""
      ? { ...question, namespace: pick(["", "other", ...namespaces]) }
      : { ...question, path: `${question.path}z` },
  (question, { pick }) =>
    question.path === ""
      ? {
          ...question,
          resource: pick(["pods", "secrets", "nodes", "widgets"]),
          subresource: pick(["", "", "status", "scale"]),
        }
      : question,
  (question, { pick }) => (question.path === "" ? { ...question, name: pick(["", ...names, "other"]) } : question),
  (question, { pick }) =>
    question.path === ""
      ? {
          ...question,
          fieldSelector: pick(["metadata.name=one", "spec.nodeName=n1", "a=b=c", "status.phase!=Running"]),
          labelSelector: pick(["", "app=x", "app in (x", "!app"]),
        }
      : question,
];
