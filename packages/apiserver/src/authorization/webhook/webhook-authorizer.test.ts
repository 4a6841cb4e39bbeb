import { compileReviewCondition } from "@coxswain/cel/access";
import { createMetrics } from "@coxswain/component/metrics";
import { describe, expect, it } from "vitest";
import { type Attributes, noOpinion, union } from "../attributes.js";
import { createWebhookAuthorizer, type WebhookAuthorizerOptions } from "./webhook-authorizer.js";
import { createWebhookMetrics } from "./webhook-metrics.js";

const asked: Attributes = {
  user: { name: "jane", groups: ["dev"], extra: { "a.com/b": ["c"] } },
  verb: "list",
  isResource: true,
  path: "",
  namespace: "shop",
  group: "apps",
  version: "v1",
  resource: "deployments",
  subresource: "",
  name: "",
};

/** A webhook that answers in turn, what it was asked, and a clock that is set by hand. */
function webhook(answers: (object | Error)[], more: Partial<WebhookAuthorizerOptions> = {}) {
  const reviews: { spec: object; apiVersion: string }[] = [];
  let now = 0;
  const authorizer = createWebhookAuthorizer({
    post(review) {
      reviews.push(review as (typeof reviews)[number]);
      const answer = answers.shift() ?? new Error("asked once too often");
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ status: answer });
    },
    version: "v1",
    authorizedMs: 100,
    unauthorizedMs: 10,
    failurePolicy: "NoOpinion",
    clock: { monotonic: () => now },
    ...more,
  });
  return { authorizer, reviews, wait: (ms: number) => (now += ms) };
}

describe("a webhook that decides", () => {
  it("is asked the whole question", async () => {
    const { authorizer, reviews } = webhook([{ allowed: true }]);
    const fieldSelector = { requirements: [{ field: "metadata.name", operator: "=", value: "x" }] } as const;
    const labelSelector = {
      requirements: [
        { key: "app", operator: "in", values: ["a", "b"] },
        { key: "n", operator: "gt", values: ["1"] },
        { key: "q", operator: "!", values: [] },
      ],
    } as const;
    await authorizer({ ...asked, fieldSelector, labelSelector });
    expect(reviews[0]).toMatchObject({ apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview" });
    expect(reviews[0]?.spec).toEqual({
      user: "jane",
      groups: ["dev"],
      extra: { "a.com/b": ["c"] },
      resourceAttributes: {
        namespace: "shop",
        verb: "list",
        group: "apps",
        version: "v1",
        resource: "deployments",
        fieldSelector: { requirements: [{ key: "metadata.name", operator: "In", values: ["x"] }] },
        labelSelector: {
          requirements: [
            { key: "app", operator: "In", values: ["a", "b"] },
            { key: "q", operator: "DoesNotExist" },
          ],
        },
      },
    });
  });

  it("is asked in the beta form where it wants that", async () => {
    const { authorizer, reviews } = webhook([{ allowed: true }], { version: "v1beta1" });
    await authorizer({ ...asked, isResource: false, path: "/x" });
    expect(reviews[0]).toMatchObject({
      apiVersion: "authorization.k8s.io/v1beta1",
      spec: { user: "jane", group: ["dev"], nonResourceAttributes: { path: "/x", verb: "list" } },
    });
  });

  const answers: [status: object, decision: object][] = [
    [
      { allowed: true, reason: "friend" },
      { decision: "allow", reason: "friend" },
    ],
    [
      { allowed: false, reason: "who?" },
      { decision: "no opinion", reason: "who?" },
    ],
    [
      { allowed: false, denied: true, reason: "foe" },
      { decision: "deny", reason: "foe" },
    ],
    [
      { allowed: true, denied: true },
      { decision: "deny", reason: "", error: "webhook subject access review returned both allow and deny response" },
    ],
  ];
  for (const [status, decision] of answers)
    it(`answers ${JSON.stringify(status)}`, async () =>
      expect(await webhook([status]).authorizer(asked)).toEqual(decision));

  it("caches the verdict, a refusal for less long", async () => {
    const { authorizer, reviews, wait } = webhook([
      { allowed: true },
      { allowed: false },
      { allowed: false },
      { allowed: true },
    ]);
    for (const ms of [99, 1]) {
      await authorizer(asked);
      wait(ms);
    }
    expect(reviews.length).toBe(1);
    expect(await authorizer(asked)).toMatchObject({ decision: "no opinion" });
    wait(9);
    await authorizer(asked);
    expect(reviews.length).toBe(2);
    wait(1);
    await authorizer(asked);
    expect(reviews.length).toBe(3);
    await authorizer({ ...asked, name: "x".repeat(10_000) });
    expect(reviews.length).toBe(4);
  });

  it("that fails has no opinion, or denies", async () => {
    expect(await webhook([new Error("gone")]).authorizer(asked)).toEqual({
      decision: "no opinion",
      reason: "",
      error: "gone",
    });
    expect(await webhook([new Error("gone")], { failurePolicy: "Deny" }).authorizer(asked)).toEqual({
      decision: "deny",
      reason: "",
      error: "gone",
    });
  });

  it("that fails is counted by name where others may then decide", async () => {
    const metrics = createMetrics({ countItself: false });
    const { onTry, onFailOpen } = createWebhookMetrics(metrics, { monotonic: () => 0 })("a");
    onTry("timeout", 40);
    await webhook([new Error("gone")], { onFailOpen }).authorizer(asked);
    await webhook([new Error("gone")], { onFailOpen, failurePolicy: "Deny" }).authorizer(asked);
    expect(metrics.text()).toContain(
      'apiserver_authorization_webhook_evaluations_total{name="a",result="timeout"} 1\n',
    );
    expect(metrics.text()).toContain(
      'apiserver_authorization_webhook_evaluations_fail_open_total{name="a",result="timeout"} 1\n',
    );
  });

  const conditions = (...texts: string[]) =>
    texts.map((text) => {
      const { compiled } = compileReviewCondition(text);
      if (!compiled) throw new Error(`${text} does not compile`);
      return compiled;
    });
  const conditionCases = [
    { name: "that hold", texts: ["request.resourceAttributes.namespace == 'shop'", "request.user == 'jane'"], asks: 1 },
    {
      name: "about what JSON leaves out",
      texts: ["request.resourceAttributes.name == ''", "request.uid == ''"],
      asks: 1,
    },
    { name: "about groups and more", texts: ["'dev' in request.groups && request.extra['a.com/b'] == ['c']"], asks: 1 },
    {
      name: "one of which does not hold",
      texts: ["request.user == 'jane'", "has(request.nonResourceAttributes)"],
      asks: 0,
    },
    { name: "one of which does not hold, whatever others are", texts: ["1 / 0 == 1", "false"], asks: 0 },
  ];
  for (const { name, texts, asks } of conditionCases)
    it(`is asked only by its conditions: ${name}`, async () => {
      const { authorizer, reviews } = webhook([{ allowed: true }], { conditions: conditions(...texts) });
      expect(await authorizer(asked)).toEqual(asks ? { decision: "allow", reason: "" } : noOpinion(""));
      expect(reviews.length).toBe(asks);
    });

  it("whose conditions fail decides by its failure policy, and that is counted", async () => {
    const metrics = createMetrics({ countItself: false });
    const { conditionMetrics } = createWebhookMetrics(metrics, { monotonic: () => 0 })("a");
    const failing = { conditions: conditions("1 / 0 == 1", "true"), conditionMetrics };
    const error = "cel evaluation error: expression '1 / 0 == 1' resulted in error: division by zero";
    expect(await webhook([], failing).authorizer(asked)).toEqual({ decision: "no opinion", reason: "", error });
    expect(await webhook([], { ...failing, failurePolicy: "Deny" }).authorizer(asked)).toMatchObject({
      decision: "deny",
    });
    expect(metrics.text()).toContain(
      'apiserver_authorization_match_condition_evaluation_errors_total{name="a",type="Webhook"} 2\n',
    );
  });

  it("is waited for in a chain, whose errors are reported when no authorizer allows", async () => {
    const chain = union(
      () => noOpinion("first"),
      webhook([new Error("gone")]).authorizer,
      () => noOpinion("last"),
    );
    expect(await chain(asked)).toEqual({ decision: "no opinion", reason: "first\nlast", error: "gone" });
    expect(
      await union(
        webhook([{ allowed: false }]).authorizer,
        webhook([{ allowed: true, reason: "second" }]).authorizer,
      )(asked),
    ).toEqual({ decision: "allow", reason: "second" });
  });
});
