import * as expressions from "@coxswain/cel/access";
import { describe, expect, it } from "vitest";
import { readAuthorizationConfiguration } from "./configuration.js";

const connection = { server: "https://decider.example.com", insecure: false };
const files = {
  expressions,
  readConnection(path: string) {
    if (path !== "/etc/decider") throw new Error("no such file");
    return connection;
  },
};
const webhook = {
  timeout: "3s",
  subjectAccessReviewVersion: "v1",
  failurePolicy: "Deny",
  connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "/etc/decider" },
};
const read = (...authorizers: object[]) =>
  readAuthorizationConfiguration(
    JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "AuthorizationConfiguration", authorizers }),
    files,
  );

describe("an AuthorizationConfiguration", () => {
  it("is a chain in its order, with what was left out filled in", () =>
    expect(
      read(
        { type: "Node", name: "node" },
        { type: "Webhook", name: "a", webhook },
        { type: "Webhook", name: "b", webhook: { ...webhook, authorizedTTL: "1m", cacheUnauthorizedRequests: false } },
        { type: "RBAC", name: "rbac" },
      ),
    ).toEqual([
      { type: "Node", name: "node" },
      {
        type: "Webhook",
        name: "a",
        webhook: {
          connection,
          version: "v1",
          timeoutMs: 3000,
          authorizedMs: 300_000,
          unauthorizedMs: 30_000,
          failurePolicy: "Deny",
        },
      },
      {
        type: "Webhook",
        name: "b",
        webhook: {
          connection,
          version: "v1",
          timeoutMs: 3000,
          authorizedMs: 60_000,
          unauthorizedMs: 0,
          failurePolicy: "Deny",
        },
      },
      { type: "RBAC", name: "rbac" },
    ]));

  const wrong: [name: string, authorizers: object[], message: string][] = [
    ["nobody", [], "authorizers: Required value: at least one authorization mode must be defined"],
    ["no type", [{ name: "x" }], "authorizers[0].type: Required value"],
    [
      "another type",
      [{ type: "Oracle", name: "x" }],
      'authorizers[0].type: Unsupported value: "Oracle": supported values: "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"',
    ],
    [
      "a type twice",
      [
        { type: "RBAC", name: "a" },
        { type: "RBAC", name: "b" },
      ],
      'authorizers[1].type: Duplicate value: "RBAC"',
    ],
    ["no name", [{ type: "RBAC" }], "authorizers[0].name: Required value"],
    [
      "a name twice",
      [
        { type: "RBAC", name: "a" },
        { type: "Node", name: "a" },
      ],
      'authorizers[1].name: Duplicate value: "a"',
    ],
    [
      "no webhook",
      [{ type: "Webhook", name: "a" }],
      "authorizers[0].webhook: Required value: required when type=Webhook",
    ],
    [
      "a webhook of RBAC",
      [{ type: "RBAC", name: "a", webhook }],
      'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
    ],
    [
      "too long a wait",
      [{ type: "Webhook", name: "a", webhook: { ...webhook, timeout: "31s" } }],
      'authorizers[0].timeout: Invalid value: "31s": must be > 0s and <= 30s',
    ],
    [
      "no policy",
      [{ type: "Webhook", name: "a", webhook: { ...webhook, failurePolicy: "" } }],
      "authorizers[0].failurePolicy: Required value",
    ],
    [
      "a relative path",
      [
        {
          type: "Webhook",
          name: "a",
          webhook: { ...webhook, connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "x" } },
        },
      ],
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "x": must be an absolute path',
    ],
    [
      "a missing file",
      [
        {
          type: "Webhook",
          name: "a",
          webhook: { ...webhook, connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "/x" } },
        },
      ],
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/x": error loading file: no such file',
    ],
    [
      "another connection",
      [{ type: "Webhook", name: "a", webhook: { ...webhook, connectionInfo: { type: "Foo" } } }],
      'authorizers[0].connectionInfo.type: Unsupported value: {"Type":"Foo","KubeConfigFile":null}: supported values: "InClusterConfig", "KubeConfigFile"',
    ],
    [
      "the cluster's own connection",
      [{ type: "Webhook", name: "a", webhook: { ...webhook, connectionInfo: { type: "InClusterConfig" } } }],
      'authorizers[0].connectionInfo.type: Invalid value: "InClusterConfig": is not allowed for kube-apiserver: it would ask itself; name the webhook\'s kubeconfig with type=KubeConfigFile',
    ],
    [
      "a file for the cluster's own connection",
      [
        {
          type: "Webhook",
          name: "a",
          webhook: { ...webhook, connectionInfo: { type: "InClusterConfig", kubeConfigFile: "" } },
        },
      ],
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "": can only be set when type=KubeConfigFile',
    ],
    [
      "conditions that do not compile, or stand there twice",
      [
        {
          type: "Webhook",
          name: "a",
          webhook: {
            ...webhook,
            matchConditions: [
              { expression: "true" },
              { expression: "1" },
              { expression: " " },
              { expression: "request.x" },
              { expression: "true" },
            ],
          },
        },
      ],
      '[authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified, authorizers[0].matchConditions[1].expression: Invalid value: "1": must evaluate to bool but got int, authorizers[0].matchConditions[2].expression: Required value, authorizers[0].matchConditions[3].expression: Invalid value: "request.x": compilation failed: ERROR: <input>:1:8: undefined field \'x\'\n | request.x\n | .......^, authorizers[0].matchConditions[4].expression: Duplicate value: "true"]',
    ],
  ];
  for (const [name, authorizers, message] of wrong)
    it(`reports what is wrong: ${name}`, () => expect(() => read(...authorizers)).toThrow(new Error(message)));

  /** The errors of kube-apiserver 1.36.4 for the same files. */
  const unread: [name: string, text: string, message: string][] = [
    [
      "a member that means nothing",
      "authorizers: [{type: RBAC, name: a}]\nfoo: 1",
      'strict decoding error: unknown field "foo"',
    ],
    [
      "a member of a webhook that means nothing",
      "authorizers: [{type: Webhook, name: a, webhook: {failPolicy: Deny}}]",
      'strict decoding error: unknown field "authorizers[0].webhook.failPolicy"',
    ],
    [
      "a member twice",
      "authorizers: [{type: RBAC, name: a}]\nauthorizers: []",
      'strict decoding error: yaml: unmarshal errors:\n  line 4: key "authorizers" already set in map',
    ],
    [
      "no list",
      "authorizers: {}",
      "json: cannot unmarshal object into Go struct field AuthorizationConfiguration.authorizers of type []v1.AuthorizerConfiguration",
    ],
    ["no duration", "authorizers: [{type: Webhook, name: a, webhook: {timeout: x}}]", 'time: invalid duration "x"'],
  ];
  for (const [name, text, message] of unread)
    it(`is not taken with ${name}`, () =>
      expect(() =>
        readAuthorizationConfiguration(
          `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n${text}`,
          files,
        ),
      ).toThrow(new Error(`failed to load AuthorizationConfiguration from file: ${message}`)));
  it("is not taken without a kind", () =>
    expect(() => readAuthorizationConfiguration("authorizers: []", files)).toThrow(
      new Error("failed to load AuthorizationConfiguration from file: Object 'Kind' is missing in 'authorizers: []'"),
    ));
  it("an empty one has no authorizers", () =>
    expect(() => readAuthorizationConfiguration("", files)).toThrow(
      new Error("authorizers: Required value: at least one authorization mode must be defined"),
    ));
});
