import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ImageReview } from "@coxswain/api/imagepolicy/v1alpha1";
import { systemClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { attributesOf, pod, refusal } from "../attributes.test.support.js";
import { readImagePolicyConfiguration } from "./configuration.js";
import { createImagePolicyWebhook } from "./image-policy-webhook.js";
import { createReviewPoster, type PostedReview } from "./post-review.js";

const answer = (status: object, code = 200): PostedReview => ({
  code,
  body: JSON.stringify({ status }),
  retryAfter: false,
});
const configuration = {
  backend: { url: "", insecure: false },
  allowMs: 1000,
  denyMs: 0,
  retryMs: 0,
  defaultAllow: false,
};

function webhook(answers: readonly (PostedReview | Error)[], more: object = {}) {
  const seen: ImageReview[] = [];
  let now = 0;
  const post = (body: string): Promise<PostedReview> => {
    const next = answers[seen.length] ?? new Error("nobody");
    seen.push(JSON.parse(body) as ImageReview);
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  return {
    plugin: createImagePolicyWebhook({ configuration: { ...configuration, ...more }, post, monotonic: () => now }),
    seen,
    pass: (ms: number) => void (now += ms),
  };
}

describe("the image policy", () => {
  const cases = [
    { name: "lets what the backend allows", answers: [answer({ allowed: true })], refused: undefined },
    {
      name: "refuses with the backend's reason",
      answers: [answer({ allowed: false, reason: "too old" })],
      refused: 'pods "x" is forbidden: image policy webhook backend denied one or more images: too old',
    },
    {
      name: "refuses without one",
      answers: [answer({})],
      refused: 'pods "x" is forbidden: one or more images rejected by webhook backend',
    },
    {
      name: "asks again when the backend was busy",
      answers: [answer({}, 429), answer({}, 500), answer({ allowed: true })],
      refused: undefined,
    },
    {
      name: "gives up after five times",
      answers: Array.from({ length: 9 }, (_, i) => answer({ allowed: i > 4 }, i > 4 ? 200 : 500)),
      refused: 'pods "x" is forbidden: pods "x" is forbidden: Error contacting webhook: 500',
    },
    {
      name: "refuses when nobody answers",
      answers: [new Error("nobody")],
      refused: 'pods "x" is forbidden: pods "x" is forbidden: nobody',
    },
  ];
  for (const { name, answers, refused } of cases)
    it(name, async () => expect(await refusal(webhook(answers).plugin, attributesOf("pods", pod()))).toBe(refused));

  it("sends the backend the images, and the annotations that are meant for it", async () => {
    const { plugin, seen } = webhook([answer({ allowed: true })]);
    await refusal(
      plugin,
      attributesOf(
        "pods",
        pod(
          { initContainers: [{ name: "i", image: "init" }] },
          { annotations: { "a.image-policy.k8s.io/b": "c", other: "d" } },
        ),
      ),
    );
    expect(seen[0]?.spec).toEqual({
      containers: [{ image: "app" }, { image: "init" }],
      annotations: { "a.image-policy.k8s.io/b": "c" },
      namespace: "n",
    });
  });

  it("remembers an answer for its time", async () => {
    const { plugin, seen, pass } = webhook([answer({ allowed: true }), answer({ allowed: true })]);
    for (const ms of [0, 999, 1]) {
      pass(ms);
      await refusal(plugin, attributesOf("pods", pod()));
    }
    expect(seen).toHaveLength(2);
  });

  it("may fail open, and annotates that", async () => {
    const made = pod();
    expect(await refusal(webhook([], { defaultAllow: true }).plugin, attributesOf("pods", made))).toBeUndefined();
    expect(made.metadata.annotations).toEqual({ "alpha.image-policy.k8s.io/failed-open": "true" });
  });

  it("asks the server that its kubeconfig names, as the user it names", async () => {
    const server = createServer((request, response) => {
      const isRight = request.headers.authorization === "Bearer secret" && request.url === "/policy";
      request.resume().on("end", () => response.end(JSON.stringify({ status: { allowed: isRight } })));
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/policy`;
    const kubeconfig = JSON.stringify({
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
      clusters: [{ name: "k", cluster: { server: url } }],
      users: [{ name: "u", user: { token: "secret" } }],
    });
    const { backend, allowMs } = readImagePolicyConfiguration({
      plugin: "ImagePolicyWebhook",
      document: { imagePolicy: { kubeConfigFile: "k", allowTTL: 60 } },
      readFile: () => kubeconfig,
    });
    const plugin = createImagePolicyWebhook({
      configuration: { ...configuration, backend, allowMs },
      post: createReviewPoster(backend, systemClock),
      monotonic: () => 0,
    });
    expect(await refusal(plugin, attributesOf("pods", pod()))).toBeUndefined();
    expect(allowMs).toBe(60_000);
    await new Promise((resolve) => server.close(resolve));
  });

  it("does not start without a configuration, or with a time out of range", () => {
    expect(() => readImagePolicyConfiguration(undefined)).toThrow("no config specified");
    expect(() =>
      readImagePolicyConfiguration({
        plugin: "ImagePolicyWebhook",
        document: { imagePolicy: { allowTTL: 4000 } },
        readFile: () => "",
      }),
    ).toThrow("valid value is between 1s and 30m0s, got 1h6m40s");
  });
});
