import { readFileSync } from "node:fs";
import type { SubjectAccessReview } from "@coxswain/api/authorization/v1";
import { builtInKinds } from "@coxswain/kinds";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import {
  decodeDecisions,
  jsonAsk,
  makeWorld,
  type Question,
  reviewOf,
  reviewPath,
  type Verdict,
} from "@coxswain/tools/access";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CacheFeed, startCacheFeed } from "../cache/cache-feed.js";
import { reviewAttributes } from "../registry/authorization/review-attributes.js";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createByteRequester } from "../server/in-process/byte-requester.js";
import { rbacListers } from "./create-authorizer.js";
import { ruleAllows } from "./rbac/rule.js";
import { bindingsFor, describeBinding, rulesOfRole } from "./rbac/rule-resolver.js";

const table = decodeDecisions(readFileSync(new URL("../../testdata/access/decisions.json", import.meta.url), "utf8"));

/**
 * What kube-apiserver decided about the bootstrap policy, random roles and bindings, and pods on nodes (`npm run record -- access`).
 * Where several bindings allow the same, upstream names any of them, and errors of several bindings stand in any order.
 */
describe("decisions as recorded from kube-apiserver", () => {
  let server: ApiServer;
  let ask: ReturnType<typeof jsonAsk>;
  let feed: CacheFeed;
  beforeAll(async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    server = await startApiServer({ runtime: systemRuntime(), store, admission: { disabled: ["ServiceAccount"] } });
    ask = jsonAsk(createByteRequester(server, { name: "kubernetes-admin", groups: ["system:masters"] }));
    await makeWorld(ask, table.world);
    feed = await startCacheFeed({ store, kinds: builtInKinds, runtime: systemRuntime() });
  });
  afterAll(async () => {
    await feed.stop();
    await server.stop();
  });

  async function decide(question: Question): Promise<Verdict> {
    return ((await ask("POST", reviewPath, reviewOf(question))).body as { status: Verdict }).status;
  }

  /** All bindings that allow what is asked for. */
  function sourcesOf(question: Question): string[] {
    const asked = reviewAttributes((reviewOf(question) as SubjectAccessReview).spec, {
      name: question.user,
      groups: question.groups,
    });
    const listers = rbacListers(feed);
    const allowing = bindingsFor(listers, asked.user, asked.namespace).filter(({ binding, namespace }) =>
      rulesOfRole(listers, binding.roleRef, namespace)?.some((rule) => ruleAllows(rule, asked)),
    );
    return allowing.map((held) => `${allowedBy}${describeBinding(held)}`);
  }

  it(`all ${table.rows.length} of them`, async () => {
    expect(table.rows.length).toBeGreaterThan(5000);
    const different: object[] = [];
    for (const { question, verdict } of table.rows) {
      const ours = await decide(question);
      if (!same(ours, verdict) || !isOneOf(verdict.reason, () => sourcesOf(question)))
        different.push({ question, verdict, ours });
    }
    expect(different.slice(0, 5)).toEqual([]);
  }, 60_000);
});

const same = (ours: Verdict, recorded: Verdict): boolean =>
  ours.allowed === recorded.allowed &&
  ours.denied === recorded.denied &&
  ours.evaluationError === recorded.evaluationError &&
  reasonKind(ours.reason) === reasonKind(recorded.reason);

const allowedBy = "RBAC: allowed by ";

const isOneOf = (reason: string | undefined, sources: () => string[]): boolean =>
  !reason?.startsWith(allowedBy) || sources().includes(reason);

/** Which of the bindings it is that allows is asked apart. */
function reasonKind(reason = ""): string {
  if (reason.startsWith(allowedBy)) return allowedBy;
  return reason.startsWith("RBAC: [") ? `RBAC: ${reason.slice(7, -1).split(", ").sort().join()}` : reason;
}
