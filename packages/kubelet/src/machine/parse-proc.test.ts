import { describe, expect, it } from "vitest";
import {
  architectureOf,
  countProcessors,
  parseFlatKeyed,
  parseHugePageSize,
  parseMeminfo,
  parseOsImage,
  parseProcessorTime,
  parseTaskCount,
} from "./parse-proc.js";

describe("files of /proc and /sys", () => {
  const lists = [
    { name: "one processor", list: "0\n", count: 1 },
    { name: "a range", list: "0-7\n", count: 8 },
    { name: "ranges and single ones", list: "0-3,8,10-11\n", count: 7 },
  ];
  for (const { name, list, count } of lists) it(`processors: ${name}`, () => expect(countProcessors(list)).toBe(count));
  for (const list of ["", "3-1", "a", "0,,1", "0-99999999"])
    it(`${JSON.stringify(list)} is no list of processors`, () =>
      expect(() => countProcessors(list)).toThrow("no list"));

  it("memory is in kilobytes, counts of huge pages are not", () => {
    const found = parseMeminfo("MemTotal:       24684220 kB\nHugePages_Total:       4\nnonsense\nSwapTotal: 0 kB\n");
    expect([...found]).toEqual([
      ["MemTotal", 24_684_220 * 1024],
      ["HugePages_Total", 4],
      ["SwapTotal", 0],
    ]);
  });

  it("a flat keyed file is read line by line", () =>
    expect([...parseFlatKeyed("cache 4096\ntotal_inactive_file 12\nbad line here\n")]).toEqual([
      ["cache", 4096],
      ["total_inactive_file", 12],
    ]));

  it("tasks are counted as /proc/loadavg has them", () => {
    expect(parseTaskCount("1.36 3.49 4.53 2/3518 3715089\n")).toBe(3518);
    expect(() => parseTaskCount("1.36 3.49\n")).toThrow("fourth field");
  });

  it("processor time leaves out idle, iowait and guests", () =>
    expect(parseProcessorTime("cpu  100 10 50 9999 999 5 3 2 77 7\ncpu0 1 2 3 4\n")).toBe(1.7e9));

  const images = [
    { text: 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n', image: "Debian GNU/Linux 12 (bookworm)" },
    { text: "PRETTY_NAME=Alpine\nID=alpine\n", image: "Alpine" },
    { text: "NAME=x\n", image: undefined },
  ];
  for (const { text, image } of images)
    it(`the operating system is ${image}`, () => expect(parseOsImage(text)).toBe(image));

  it("sizes of huge pages are in the names of directories", () =>
    expect(["hugepages-2048kB", "hugepages-1048576kB", "other"].map(parseHugePageSize)).toEqual([
      2 * 1024 ** 2,
      1024 ** 3,
      undefined,
    ]));

  it("architectures have Go's names", () =>
    expect(["x64", "arm64", "riscv64", "ppc64"].map(architectureOf)).toEqual(["amd64", "arm64", "riscv64", "ppc64le"]));
});
