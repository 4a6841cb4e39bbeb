import { describe, expect, it } from "vitest";
import { matchCredentials, parseDockerConfig } from "./docker-config.js";

const config = (...places: string[]): string =>
  JSON.stringify({ auths: Object.fromEntries(places.map((place) => [place, { username: place, password: "p" }])) });
const usersFor = (image: string, ...places: string[]): (string | undefined)[] =>
  matchCredentials(image, parseDockerConfig(config(...places), "dockerconfigjson")).map(({ username }) => username);

const cases: { image: string; places: string[]; users: string[] }[] = [
  {
    image: "registry.example.com/web",
    places: ["registry.example.com", "other.example.com"],
    users: ["registry.example.com"],
  },
  { image: "registry.example.com:5000/web", places: ["registry.example.com"], users: [] },
  {
    image: "registry.example.com/team/web",
    places: ["registry.example.com", "registry.example.com/team"],
    users: ["registry.example.com/team", "registry.example.com"],
  },
  { image: "registry.example.com/other/web", places: ["registry.example.com/team"], users: [] },
  { image: "a.registry.example.com/web", places: ["*.registry.example.com"], users: ["*.registry.example.com"] },
  { image: "a.b.registry.example.com/web", places: ["*.registry.example.com"], users: [] },
  { image: "eu1x.example.com/web", places: ["eu*x.example.com"], users: ["eu*x.example.com"] },
  { image: "busybox", places: ["https://index.docker.io/v1/"], users: ["https://index.docker.io/v1/"] },
  { image: "library/busybox:1.36", places: ["docker.io"], users: ["docker.io"] },
  { image: "localhost/web", places: ["localhost"], users: ["localhost"] },
];

describe("credentials of an image", () => {
  for (const { image, places, users } of cases)
    it(`${image} with ${places.join(" and ")}`, () => expect(usersFor(image, ...places)).toEqual(users));
  it("keep colons of passwords", () => {
    const auth = Buffer.from("user:pass:word").toString("base64");
    expect(parseDockerConfig(JSON.stringify({ auths: { "r.io": { auth } } }), "dockerconfigjson")).toEqual([
      { place: "r.io", auth: { username: "user", password: "pass:word" } },
    ]);
  });
  it("are read from the old form", () =>
    expect(parseDockerConfig(JSON.stringify({ "r.io": { username: "u", password: "p" } }), "dockercfg")).toEqual([
      { place: "r.io", auth: { username: "u", password: "p" } },
    ]));
  for (const text of [
    "",
    "{",
    "null",
    "[]",
    '{"auths": 1}',
    '{"auths": {"r.io": null}}',
    '{"auths": {"r.io": {"auth": "%%%"}}}',
  ])
    it(`are none in ${JSON.stringify(text)}`, () => expect(parseDockerConfig(text, "dockerconfigjson")).toEqual([]));
});
