import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";

/** As kube-apiserver 1.36.4 answers. */
describe("reviews are admitted as what is kept is", () => {
  let server: ApiServer;
  beforeAll(
    async () =>
      void (server = await startApiServer({
        runtime: systemRuntime(),
        store: createMemoryStore({ runtime: systemRuntime() }),
      })),
  );
  afterAll(() => server.stop());
  const ask = (user: string, groups: string[], path: string, body: object): Promise<unknown> =>
    createInProcessClient(server, { user: { name: user, groups } }).request({
      method: "POST",
      path,
      body,
    }) as Promise<unknown>;
  const self = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };

  it("a node without a name may not even ask who it is", () =>
    expect(
      ask("system:node:", ["system:nodes"], "/apis/authentication.k8s.io/v1/selfsubjectreviews", self),
    ).rejects.toMatchObject({
      status: {
        code: 403,
        message:
          'selfsubjectreviews.authentication.k8s.io "Unknown" is forbidden: could not determine node from user "system:node:"',
      },
    }));
  it("one with a name may", () =>
    expect(
      ask("system:node:a", ["system:nodes"], "/apis/authentication.k8s.io/v1/selfsubjectreviews", self),
    ).resolves.toMatchObject({ status: { userInfo: { username: "system:node:a" } } }));
  it("of a namespace that is not there may be asked who could do something in it", () =>
    expect(
      ask("root", ["system:masters"], "/apis/authorization.k8s.io/v1/namespaces/none/localsubjectaccessreviews", {
        apiVersion: "authorization.k8s.io/v1",
        kind: "LocalSubjectAccessReview",
        metadata: { namespace: "none" },
        spec: { user: "x", resourceAttributes: { namespace: "none", verb: "get", resource: "pods" } },
      }),
    ).resolves.toMatchObject({ status: { allowed: false } }));
});
