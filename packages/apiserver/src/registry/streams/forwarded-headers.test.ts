import { describe, expect, it } from "vitest";
import type { ApiRequest } from "../../request/request.js";
import { answerHeaders, forwardedHeaders } from "./forwarded-headers.js";

/** As much of a request as headers need. */
function from(lines: readonly [string, string][], remoteAddress = "192.0.2.7"): ApiRequest {
  const header = (name: string): string | undefined =>
    lines
      .filter(([known]) => known.toLowerCase() === name)
      .map(([, value]) => value)
      .join(", ") || undefined;
  return {
    header,
    headerNames: () => lines.map(([name]) => name.toLowerCase()),
    wire: { headerLines: () => lines },
    caller: { via: "socket", remoteAddress },
  } as unknown as ApiRequest;
}

const way: [string, string] = ["X-Forwarded-For", "192.0.2.7"];
const cases: { name: string; lines: [string, string][]; message: [string, string][]; upgrade?: [string, string][] }[] =
  [
    {
      name: "a repeated header stays repeated, as it was sent",
      lines: [
        ["X-A", "1"],
        ["x-a", "2"],
      ],
      message: [["X-A", "1"], ["x-a", "2"], way],
    },
    {
      name: "credentials stay here",
      lines: [
        ["Authorization", "Bearer x"],
        ["Impersonate-User", "u"],
        ["Impersonate-Extra-A", "b"],
        ["X-Remote-User", "u"],
        ["X-Remote-Group", "g"],
        ["X-Remote-Uid", "1"],
        ["X-Remote-Extra-A", "b"],
        ["Accept", "*/*"],
      ],
      message: [["Accept", "*/*"], way],
    },
    {
      name: "the way so far goes on",
      lines: [["X-Forwarded-For", "198.51.100.1"]],
      message: [["X-Forwarded-For", "198.51.100.1, 192.0.2.7"]],
    },
    {
      name: "a client cannot hide its address by declaring the header to be about its connection",
      lines: [
        ["Connection", "X-Forwarded-For"],
        ["X-Forwarded-For", "198.51.100.1"],
      ],
      message: [way],
      upgrade: [
        ["Connection", "X-Forwarded-For"],
        ["X-Forwarded-For", "198.51.100.1, 192.0.2.7"],
      ],
    },
    {
      name: "what is about the connection stays with it",
      lines: [
        ["Connection", "keep-alive, X-Mine"],
        ["Keep-Alive", "5"],
        ["X-Mine", "1"],
        ["Transfer-Encoding", "chunked"],
        ["Upgrade", "h2c"],
        ["Expect", "100-continue"],
      ],
      message: [way],
      upgrade: [
        ["Connection", "keep-alive, X-Mine"],
        ["Keep-Alive", "5"],
        ["X-Mine", "1"],
        ["Transfer-Encoding", "chunked"],
        ["Upgrade", "h2c"],
        way,
      ],
    },
    {
      name: "trailers are asked for on",
      lines: [["TE", "trailers, deflate"]],
      message: [["Te", "trailers"], way],
      upgrade: [["TE", "trailers, deflate"], way],
    },
    {
      name: "a token among WebSocket protocols is taken out",
      lines: [["Sec-WebSocket-Protocol", "base64url.bearer.authorization.k8s.io.dG9r, v4.channel.k8s.io"]],
      message: [["Sec-WebSocket-Protocol", "v4.channel.k8s.io"], way],
    },
    {
      name: "with nothing beside it the line goes",
      lines: [["Sec-WebSocket-Protocol", "base64url.bearer.authorization.k8s.io.dG9r"]],
      message: [way],
    },
  ];

describe("headers on their way to another server", () => {
  for (const { name, lines, message, upgrade = message } of cases) {
    it(name, () => {
      expect(forwardedHeaders(from(lines), "message")).toEqual(message);
      expect(forwardedHeaders(from(lines), "upgrade")).toEqual(upgrade);
    });
  }
  it("a caller without an address gets no X-Forwarded-For", () =>
    expect(forwardedHeaders(from([], ""), "message")).toEqual([]));
  it("come back without what is about the connection", () =>
    expect(
      answerHeaders({
        connection: ["close, x-mine"],
        "x-mine": ["1"],
        "keep-alive": ["5"],
        "set-cookie": ["a", "b"],
        server: ["s"],
        gone: undefined,
      }),
    ).toEqual({ "set-cookie": ["a", "b"], server: "s" }));
});
