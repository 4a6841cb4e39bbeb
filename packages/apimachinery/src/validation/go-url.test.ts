import { describe, expect, it } from "vitest";
import { parseGoAddress, parseGoPrefix } from "./go-address.js";
import { isRequestUri, parseGoUrl, queryParameters, requestUriError, splitHost } from "./go-url.js";

// More is compared with Go by the answers about CEL's url(), ip() and cidr(), in packages/cel.
describe("a URL is taken apart as Go does it", () => {
  it("into scheme, host, user, path, query and fragment", () =>
    expect(parseGoUrl("HTTPS://u:p@Example.com:80/a%2fb?q=1#f%41")).toEqual({
      scheme: "https",
      host: "Example.com:80",
      user: "u:p",
      path: "/a%2fb",
      query: "q=1",
      fragment: "fA",
      text: "https://u:p@Example.com:80/a%2fb?q=1#f%41",
    }));

  const rows = [
    { text: "../a", error: 'parse "../a": invalid URI for request' },
    { text: "", error: 'parse "": empty url' },
    { text: "http://a:b/", error: 'parse "http://a:b/": invalid port ":b" after host' },
    { text: "http://[::1", error: `parse "http://[::1": missing ']' in host` },
    { text: "http://a/%zz", error: 'parse "http://a/%zz": invalid URL escape "%zz"' },
    { text: "/a#b", error: undefined },
    { text: "//a:b/c", error: undefined },
  ];
  for (const { text, error } of rows)
    it(`${JSON.stringify(text)} of a request: ${error ?? "valid"}`, () => {
      expect(requestUriError(text)).toBe(error);
      expect(isRequestUri(text)).toBe(error === undefined);
    });

  it("a host loses its port and brackets", () => {
    expect(splitHost("[::1]:80")).toEqual({ hostname: "::1", port: "80" });
    expect(splitHost("a")).toEqual({ hostname: "a", port: "" });
  });

  it("a query keeps what can be read", () =>
    expect([...queryParameters("a=1&b=%zz&a=x+y&c;d=1&__proto__=2")]).toEqual([
      ["a", ["1", "x y"]],
      ["__proto__", ["2"]],
    ]));
});

describe("addresses are read strictly", () => {
  const rows = [
    { text: "01.2.3.4", error: 'ParseAddr("01.2.3.4"): IPv4 field has octet with leading zero' },
    { text: "1::2::3", error: 'ParseAddr("1::2::3"): multiple :: in address (at ":3")' },
    { text: "a", error: 'ParseAddr("a"): unable to parse IP' },
  ];
  for (const { text, error } of rows) it(error, () => expect(parseGoAddress(text)).toBe(error));

  it("a zone is kept", () => expect(parseGoAddress("fe80::1%eth0")).toMatchObject({ zone: "eth0", isV4: false }));

  it("a prefix has a length without zeros before it", () => {
    expect(parseGoPrefix("10.0.0.0/8")).toMatchObject({ prefixLength: 8 });
    expect(parseGoPrefix("10.0.0.0/08")).toBe('netip.ParsePrefix("10.0.0.0/08"): bad bits after slash: "08"');
  });
});
