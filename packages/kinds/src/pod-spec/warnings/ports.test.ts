import type { ContainerPort } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { portWarnings } from "./ports.js";

const warningsOf = (...ports: readonly ContainerPort[]): string[] =>
  portWarnings({ containers: [{ name: "a", image: "b", ports: [...ports] }] }, undefined).map((text) =>
    text.replaceAll("spec.containers[0].ports", ""),
  );
const port = (hostPort?: number, hostIP?: string): ContainerPort => ({
  containerPort: 80,
  protocol: "TCP",
  ...(hostPort === undefined ? {} : { hostPort }),
  ...(hostIP === undefined ? {} : { hostIP }),
});

describe("warnings of ports", () => {
  const cases = [
    { name: "the same twice", ports: [port(), port()], warnings: ["[1]: duplicate port definition with [0]"] },
    {
      name: "three times the same: each pair",
      ports: [port(), port(), port()],
      warnings: [
        "[1]: duplicate port definition with [0]",
        "[2]: duplicate port definition with [0]",
        "[2]: duplicate port definition with [1]",
      ],
    },
    {
      name: "with and without a port of the host",
      ports: [port(8080), port(), port(8081)],
      warnings: ["[1]: overlapping port definition with [0]", "[2]: overlapping port definition with [1]"],
    },
    { name: "different ports of the host", ports: [port(8080), port(8081)], warnings: [] },
    { name: "different addresses of the host", ports: [port(80, "1.2.3.4"), port(80, "1.2.3.5")], warnings: [] },
    {
      name: "an address of the host and all of them",
      ports: [port(80, "1.2.3.4"), port(80), port(80, "1.2.3.5")],
      warnings: [
        "[1]: dangerously ambiguous port definition with [0]",
        "[2]: dangerously ambiguous port definition with [1]",
      ],
    },
  ];
  for (const { name, ports, warnings } of cases) it(name, () => expect(warningsOf(...ports)).toEqual(warnings));

  it("a hundred thousand equal ports cause a thousand warnings, in linear time", () =>
    expect(warningsOf(...Array.from({ length: 100_000 }, () => port()))).toHaveLength(1000));
  it("a hundred thousand ports of different addresses cause none, in linear time", () =>
    expect(
      warningsOf(
        ...Array.from({ length: 100_000 }, (_, at) => port(80, `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)),
      ),
    ).toEqual([]));
});
