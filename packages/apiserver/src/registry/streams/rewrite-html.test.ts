import { describe, expect, it } from "vitest";
import { HtmlRewriter } from "./rewrite-html.js";

async function rewrite(page: string | Buffer, pieces = 1): Promise<string> {
  const rewriter = new HtmlRewriter((url) => `<${url}>`);
  const bytes = Buffer.from(page as string);
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let at = 0; at < bytes.length; at += size) rewriter.write(bytes.subarray(at, at + size));
  rewriter.end();
  const parts: Buffer[] = [];
  for await (const part of rewriter) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

const cases = [
  { name: "an attribute with a URL", page: '<a href="/x">x</a>', to: '<a href="</x>">x</a>' },
  { name: "single quotes stay", page: "<a href='/x'>", to: "<a href='</x>'>" },
  { name: "a bare value is quoted", page: "<a href=/x>", to: '<a href="</x>">' },
  { name: "capitals", page: '<A HREF="/x">', to: '<A HREF="</x>">' },
  {
    name: "several of one tag",
    page: '<img longdesc="/l" alt="/a" src="/s"/>',
    to: '<img longdesc="</l>" alt="/a" src="</s>"/>',
  },
  { name: "an attribute that is a URL elsewhere only", page: '<p href="/x">', to: '<p href="/x">' },
  {
    name: "an element called as a property of every object",
    page: '<constructor href="/x">',
    to: '<constructor href="/x">',
  },
  { name: "a sign in quotes ends no tag", page: '<a title="a>b" href="/x">', to: '<a title="a>b" href="</x>">' },
  { name: "a comment", page: '<!-- <a href="/x"> --><a href="/y">', to: '<!-- <a href="/x"> --><a href="</y>">' },
  {
    name: "a script's text, but not its source",
    page: '<script src="/s">"<a href=/no>"</script><a href="/y">',
    to: '<script src="</s>">"<a href=/no>"</script><a href="</y>">',
  },
  { name: "a title's text", page: '<title><a href="/x"></title>', to: '<title><a href="/x"></title>' },
  {
    name: "a document type and an end tag",
    page: '<!DOCTYPE html></a href="/x">',
    to: '<!DOCTYPE html></a href="/x">',
  },
  { name: "a lonely sign", page: "1 < 2 <3 <", to: "1 < 2 <3 <" },
  { name: "a tag that never ends", page: '<a href="/x', to: '<a href="/x' },
  { name: "text in any alphabet", page: 'ä語<a href="/ü">', to: 'ä語<a href="</ü>">' },
  { name: "nothing", page: "", to: "" },
];

describe("the links of an HTML page", () => {
  for (const { name, page, to } of cases) {
    it(name, async () => expect(await rewrite(page)).toBe(to));
    it(`${name}, a byte at a time`, async () => expect(await rewrite(page, page.length * 4)).toBe(to));
  }
  it("a tag that is too long passes as it is", async () => {
    const page = `<a href="/x" title="${"t".repeat(70_000)}`;
    expect(await rewrite(page, 8)).toBe(page);
  });
  const size = 1 << 20;
  const hostile = [
    { name: "blanks behind a name", page: `<a ${"x ".repeat(2)}${" ".repeat(size)}>` },
    { name: "an endless attribute name", page: `<a ${"x".repeat(size)}>` },
    { name: "an endless element name", page: `<${"a".repeat(size)}` },
    { name: "quotes that are never closed", page: `<a ${`"' `.repeat(size / 3)}>` },
    { name: "a quote in every attribute", page: `<a ${"x='".repeat(size / 3)}` },
    { name: "many signs", page: "<".repeat(size) },
    { name: "many tags that never end", page: "<a ".repeat(size / 3) },
    { name: "many comments that never end", page: "<!--".repeat(size / 4) },
    { name: "many elements of raw text", page: "<title></title>".repeat(size / 15) },
  ];
  for (const { name, page } of hostile)
    it(`passes in linear time: ${name}`, async () => expect(await rewrite(page, 16)).toBe(page));

  it("bytes that are no text pass unharmed", async () => {
    const rewriter = new HtmlRewriter((url) => url);
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    rewriter.end(bytes);
    const parts: Buffer[] = [];
    for await (const part of rewriter) parts.push(part as Buffer);
    expect(Buffer.concat(parts)).toEqual(bytes);
  });
});
