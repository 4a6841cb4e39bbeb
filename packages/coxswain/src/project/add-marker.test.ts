import { describe, expect, it } from "vitest";
import { addMarker, addWebhookWords, hasWebhookWord, withoutVersionMarkers } from "./add-marker.js";

const video = (...comment: string[]): string =>
  [...comment, "export interface Video extends CustomResource<VideoSpec> {}", ""].join("\n");

describe("markers in a module", () => {
  const marked: [name: string, before: string, after: string | undefined][] = [
    ["behind the last one", video("/**", " * @resource", " */"), video("/**", " * @resource", " * @a", " */")],
    ["in a comment of one line", video("/** @resource */"), video("/** @resource", " * @a", " */")],
    ["not without a comment", video(), undefined],
    ["not at another interface", "/** @resource */\nexport interface VideoSpec {}\n", undefined],
  ];
  for (const [name, before, after] of marked)
    it(`are added ${name}`, () => expect(addMarker(before, "Video", "a")).toBe(after));

  const words: [name: string, line: string, after: string][] = [
    ["join those that are there", " * @webhook validating", " * @webhook defaulting validating"],
    [
      "leave options alone",
      " * @webhook conversion failurePolicy=Ignore",
      " * @webhook defaulting conversion failurePolicy=Ignore",
    ],
  ];
  for (const [name, line, after] of words)
    it(`words of @webhook ${name}`, () =>
      expect(addWebhookWords(video("/**", line, " */"), "Video", ["defaulting"])).toBe(video("/**", after, " */")));

  it("a word in an option's value is no webhook", () =>
    expect(hasWebhookWord(video("/** @webhook defaulting name=conversion */"), "Video", "conversion")).toBe(false));

  it("a copy for another version is neither stored nor has webhooks", () =>
    expect(
      withoutVersionMarkers(video("/**", " * @resource", " * @storageVersion", " * @webhook defaulting", " */")),
    ).toBe(video("/**", " * @resource", " */")));
});
