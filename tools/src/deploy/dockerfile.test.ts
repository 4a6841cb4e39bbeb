import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readDockerfile } from "./dockerfile.js";

describe("a Dockerfile as data", () => {
  it("has stages with what they do, in order", () =>
    expect(
      readDockerfile(`# an image
ARG BASE=node:22
FROM \${BASE} AS build
WORKDIR /opt
COPY a-*.tgz /tmp/a.tgz
RUN npm install \\
  /tmp/a.tgz
FROM \${BASE}
COPY --from=build /opt /opt
ENV PATH=/opt/bin:$PATH HOME=/data
USER node
VOLUME /data
ENTRYPOINT ["a"]
CMD ["up", "--all"]
`),
    ).toEqual([
      {
        name: "build",
        from: "node:22",
        steps: [
          { do: "folder", value: "/opt" },
          { do: "copy", from: undefined, sources: ["a-*.tgz"], to: "/tmp/a.tgz" },
          { do: "run", script: "npm install    /tmp/a.tgz" },
        ],
      },
      {
        name: "1",
        from: "node:22",
        steps: [
          { do: "copy", from: "build", sources: ["/opt"], to: "/opt" },
          { do: "set", values: { PATH: "/opt/bin:$PATH", HOME: "/data" } },
          { do: "user", value: "node" },
          { do: "entrypoint", argv: ["a"] },
          { do: "command", argv: ["up", "--all"] },
        ],
      },
    ]));

  it("refuses what it does not know", () =>
    expect(() => readDockerfile("FROM a\nHEALTHCHECK NONE\n")).toThrow("HEALTHCHECK"));

  it("reads ours", () => {
    const stages = readDockerfile(readFileSync(new URL("../../../deploy/docker/Dockerfile", import.meta.url), "utf8"));
    expect(stages.map(({ name }) => name)).toEqual(["install", "1"]);
    expect(stages.at(-1)?.steps.some((step) => step.do === "entrypoint")).toBe(true);
  });
});
