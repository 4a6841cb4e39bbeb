import { describe, expect, it } from "vitest";
import { type HttpGetRequest, urlOf } from "./http-get-request.js";
import { planRedirect } from "./redirect.js";

const current: HttpGetRequest = {
  scheme: "http",
  host: "10.0.0.7",
  port: 8080,
  target: "/a",
  headers: ["Host", "10.0.0.7:8080", "X", "y"],
};
const outcome = (status: number, location: string | undefined, sent = 1, request = current): string => {
  const plan = planRedirect({ status, location }, { current: request, firstHost: "10.0.0.7", sent });
  if (plan.kind === "follow") return `${urlOf(plan.request)} for ${plan.request.headers[1]}`;
  return plan.kind === "refuse" ? plan.error : plan.kind;
};

describe("redirects of a probe", () => {
  const cases = [
    { name: "a success stays", status: 200, location: "/b", result: "stay" },
    { name: "a redirect without a location stays", status: 302, location: undefined, result: "stay" },
    { name: "not modified stays", status: 304, location: "/b", result: "stay" },
    { name: "a path is followed", status: 301, location: "/b?c", result: "http://10.0.0.7:8080/b?c for 10.0.0.7:8080" },
    {
      name: "another port of the host is followed",
      status: 307,
      location: "https://10.0.0.7:8443/",
      result: "https://10.0.0.7:8443/ for 10.0.0.7:8443",
    },
    { name: "another host is not followed", status: 308, location: "http://10.0.0.8:8080/", result: "stay" },
    { name: "the cloud's metadata is not followed", status: 302, location: "//169.254.169.254/latest", result: "stay" },
    { name: "a name of the same host is another host", status: 302, location: "http://localhost/", result: "stay" },
    {
      name: "no URL is refused",
      status: 302,
      location: "http://[",
      result: 'failed to parse Location header "http://["',
    },
  ];
  for (const { name, status, location, result } of cases)
    it(name, () => expect(outcome(status, location)).toBe(result));
  it("ten requests are enough", () => expect(outcome(302, "/", 10)).toBe("stopped after 10 redirects"));
  it("a Host of the user's is kept for a path and dropped for a URL", () => {
    const named = { ...current, headers: ["Host", "a.test"] };
    expect(outcome(302, "/b", 1, named)).toMatch(/for a\.test$/);
    expect(outcome(302, "http://10.0.0.7:8080/b", 1, named)).toMatch(/for 10\.0\.0\.7:8080$/);
  });
});
