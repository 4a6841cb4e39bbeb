import type { HTTPGetAction } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { planHttpGet, urlOf } from "./http-get-request.js";

const container = { name: "main", image: "app", ports: [{ name: "web", containerPort: 8080 }] };
const plan = (get: Partial<HTTPGetAction>, podIP = "10.0.0.7") =>
  planHttpGet({ port: 80, ...get }, { container, podIP, purpose: "probe" });
const headers = (httpHeaders: NonNullable<HTTPGetAction["httpHeaders"]>): string => {
  const flat = plan({ httpHeaders }).headers;
  return flat.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\n`)).join("");
};

describe("the request of an httpGet", () => {
  const urls: { name: string; get: Partial<HTTPGetAction>; url: string }[] = [
    { name: "goes to the pod", get: {}, url: "http://10.0.0.7:80/" },
    { name: "goes to the host that is named", get: { host: "example.test" }, url: "http://example.test:80/" },
    { name: "finds a port by its name", get: { port: "web" }, url: "http://10.0.0.7:8080/" },
    { name: "takes a number that is written as text", get: { port: "81" }, url: "http://10.0.0.7:81/" },
    { name: "goes by TLS", get: { scheme: "HTTPS" }, url: "https://10.0.0.7:80/" },
  ];
  for (const { name, get, url } of urls) it(name, () => expect(urlOf(plan(get))).toBe(url));
  it("puts IPv6 addresses into brackets", () => expect(urlOf(plan({}, "fd00::7"))).toBe("http://[fd00::7]:80/"));

  const refused = [
    { name: "no port of that name", port: "none", error: 'strconv.Atoi: parsing "none": invalid syntax' },
    { name: "a port beyond the last", port: 65536, error: "invalid port number: 65536" },
    { name: "port zero", port: 0, error: "invalid port number: 0" },
  ];
  for (const { name, port, error } of refused) it(`refuses ${name}`, () => expect(() => plan({ port })).toThrow(error));

  const rest = "User-Agent: kube-probe/1.36\nAccept: */*\n";
  const cases = [
    { name: "names itself and accepts everything", given: [], sent: `Host: 10.0.0.7:80\n${rest}` },
    { name: "sends a Host of the user's", given: [{ name: "host", value: "a.test" }], sent: `Host: a.test\n${rest}` },
    {
      name: "sends two of a name",
      given: [
        { name: "X-A", value: "1" },
        { name: "X-A", value: "2" },
      ],
      sent: `Host: 10.0.0.7:80\n${rest}X-A: 1\nX-A: 2\n`,
    },
    {
      name: "leaves out an empty Accept and User-Agent",
      given: [
        { name: "Accept", value: "" },
        { name: "User-Agent", value: "" },
      ],
      sent: "Host: 10.0.0.7:80\n",
    },
  ];
  for (const { name, given, sent } of cases) it(name, () => expect(headers(given)).toBe(`${sent}Connection: close\n`));
});
