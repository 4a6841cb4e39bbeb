import { describe, expect, it } from "vitest";
import type { RequestContext } from "../../request/request-context.js";
import { serveContent } from "./serve-content.js";

const modifiedAt = Date.parse("2026-01-02T03:04:05Z");
const date = "Fri, 02 Jan 2026 03:04:05 GMT";
const earlier = "Thu, 01 Jan 2026 00:00:00 GMT";

function ask(headers: Record<string, string>, method = "GET") {
  const context = { request: { method, header: (name: string) => headers[name] } } as unknown as RequestContext; // nothing else is looked at
  const {
    code,
    headers: responseHeaders,
    contentType,
    bytes,
  } = serveContent(context, {
    bytes: new TextEncoder().encode("0123456789"),
    contentType: "application/json",
    etag: '"tag"',
    modifiedAt,
    headers: { vary: "Accept" },
  });
  return { code, text: new TextDecoder().decode(bytes), contentType, ...(responseHeaders as Record<string, string>) };
}

/** As Go 1.26 answers. */
describe("serveContent", () => {
  const cases: { name: string; headers: Record<string, string>; method?: string; answer: Record<string, unknown> }[] = [
    {
      name: "the whole",
      headers: {},
      answer: {
        code: 200,
        text: "0123456789",
        etag: '"tag"',
        "last-modified": date,
        "accept-ranges": "bytes",
        vary: "Accept",
      },
    },
    {
      name: "a range",
      headers: { range: "bytes=2-4" },
      answer: { code: 206, text: "234", "content-range": "bytes 2-4/10", contentType: "application/json" },
    },
    {
      name: "a range to the end",
      headers: { range: "bytes=7-" },
      answer: { code: 206, text: "789", "content-range": "bytes 7-9/10" },
    },
    {
      name: "a range that ends beyond",
      headers: { range: "bytes=8-99" },
      answer: { code: 206, text: "89", "content-range": "bytes 8-9/10" },
    },
    {
      name: "the last bytes",
      headers: { range: "bytes=-3" },
      answer: { code: 206, text: "789", "content-range": "bytes 7-9/10" },
    },
    {
      name: "a range beyond",
      headers: { range: "bytes=10-" },
      answer: {
        code: 416,
        text: "invalid range: failed to overlap\n",
        "content-range": "bytes */10",
        contentType: "text/plain; charset=utf-8",
        vary: "Accept",
      },
    },
    { name: "a range that is none", headers: { range: "cake" }, answer: { code: 416, text: "invalid range\n" } },
    { name: "a range backwards", headers: { range: "bytes=4-2" }, answer: { code: 416, text: "invalid range\n" } },
    { name: "several ranges", headers: { range: "bytes=0-1,3-4" }, answer: { code: 200, text: "0123456789" } },
    {
      name: "a range of another version",
      headers: { range: "bytes=2-4", "if-range": '"other"' },
      answer: { code: 200 },
    },
    { name: "a range of this version", headers: { range: "bytes=2-4", "if-range": '"tag"' }, answer: { code: 206 } },
    { name: "a range of that time", headers: { range: "bytes=2-4", "if-range": date }, answer: { code: 206 } },
    {
      name: "known by its tag",
      headers: { "if-none-match": 'W/"tag", "other"' },
      answer: { code: 304, text: "", contentType: "", etag: '"tag"' },
    },
    { name: "anything known", headers: { "if-none-match": "*" }, answer: { code: 304 } },
    { name: "known, but written to", headers: { "if-none-match": "*" }, method: "POST", answer: { code: 412 } },
    {
      name: "another tag known",
      headers: { "if-none-match": '"other"', "if-modified-since": date },
      answer: { code: 200 },
    },
    { name: "not modified since", headers: { "if-modified-since": date }, answer: { code: 304 } },
    { name: "modified since", headers: { "if-modified-since": earlier }, answer: { code: 200 } },
    {
      name: "a time that is none",
      headers: { "if-modified-since": "cake", "if-unmodified-since": "cake" },
      answer: { code: 200 },
    },
    { name: "the wanted version", headers: { "if-match": '"tag"' }, answer: { code: 200 } },
    {
      name: "another version wanted",
      headers: { "if-match": '"other"' },
      answer: { code: 412, text: "", contentType: "application/json", "last-modified": date },
    },
    { name: "modified meanwhile", headers: { "if-unmodified-since": earlier }, answer: { code: 412 } },
  ];
  for (const { name, headers, method, answer } of cases)
    it(name, () => expect(ask(headers, method)).toMatchObject(answer));

  it("does not go by a date that two contents share", () => {
    const context = { request: { method: "GET", header: (name: string) => ({ "if-modified-since": date })[name] } };
    const content = { bytes: new Uint8Array(1), contentType: "text/plain", modifiedAt };
    const ask = (isDateAmbiguous: boolean): number | undefined =>
      serveContent(context as unknown as RequestContext, { ...content, isDateAmbiguous }).code; // nothing else is looked at
    expect([ask(false), ask(true)]).toEqual([304, 200]);
  });
});
