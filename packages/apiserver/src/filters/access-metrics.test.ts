import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configOfMode } from "../authorization/authorizer-config.js";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createByteRequester } from "../server/in-process/byte-requester.js";

/** As kube-apiserver 1.36.4 counts the same requests. */
describe("what is counted of access", () => {
  let server: ApiServer;
  beforeAll(async () => {
    const decider = {
      type: "Webhook" as const,
      name: "away",
      webhook: {
        connection: { server: "http://127.0.0.1:1", insecure: false },
        version: "v1" as const,
        timeoutMs: 1000,
        authorizedMs: 0,
        unauthorizedMs: 0,
        failurePolicy: "NoOpinion" as const,
      },
    };
    server = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
      authentication: { tokenFile: "t,jane,1\n" },
      authorizers: [configOfMode("RBAC"), decider],
    });
  });
  afterAll(() => server.stop());
  const counts = async (): Promise<Map<string, number>> =>
    new Map(
      [
        ...(await server.metrics.text()).matchAll(
          /^((?:authentication_attempts|authorization_attempts_total){result="[\w-]+"}) (\d+)$/gm,
        ),
      ].map(([, series = "", count]) => [series, Number(count)]),
    );
  const cases: [name: string, request: { path: string; token?: string }, code: number, counted: string[]][] = [
    [
      "somebody who may",
      { path: "/api", token: "t" },
      200,
      ['authentication_attempts{result="success"}', 'authorization_attempts_total{result="allowed"}'],
    ],
    ["a token that is none", { path: "/api", token: "x" }, 401, ['authentication_attempts{result="error"}']],
    ["nobody, where somebody must be", { path: "/api" }, 401, ['authentication_attempts{result="failure"}']],
    [
      "a user whom no authorizer can decide about",
      { path: "/api/v1/pods", token: "t" },
      500,
      ['authentication_attempts{result="success"}', 'authorization_attempts_total{result="error"}'],
    ],
  ];
  for (const [name, { path, token }, code, counted] of cases) {
    it(name, async () => {
      const before = await counts();
      const { status } = await createByteRequester(
        server,
        undefined,
      )({
        method: "GET",
        path,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        signal: new AbortController().signal,
      });
      expect(status).toBe(code);
      const after = await counts();
      expect([...after.keys()].filter((series) => after.get(series) !== before.get(series))).toEqual(counted);
    });
  }
  it("somebody whom nobody allows anything", async () => {
    server.replaceAuthorizers([configOfMode("RBAC")]);
    const before = (await counts()).get('authorization_attempts_total{result="no-opinion"}') ?? 0;
    await createByteRequester(
      server,
      undefined,
    )({
      method: "GET",
      path: "/api/v1/pods",
      headers: { authorization: "Bearer t" },
      signal: new AbortController().signal,
    });
    expect((await counts()).get('authorization_attempts_total{result="no-opinion"}')).toBe(before + 1);
  });
  it("those who are exempt need seats, too, and wait in the filter of fairness", async () => {
    const text = await (async () => {
      await createByteRequester(server, { name: "admin", groups: ["system:masters"] })({
        method: "DELETE",
        path: "/api/v1/namespaces/default/configmaps/x",
        headers: {},
        signal: new AbortController().signal,
      });
      return server.metrics.text();
    })();
    for (const series of [
      'apiserver_flowcontrol_work_estimated_seats_count{flow_schema="exempt",priority_level="exempt"} 1',
      'apiserver_flowcontrol_watch_count_samples_count{flow_schema="exempt",priority_level="exempt"} 1',
      'apiserver_request_filter_duration_seconds_count{filter="priorityandfairness"}',
    ])
      expect(text).toContain(series);
  });
});
