import { describe, expect, it } from "vitest";
import { normalize } from "./normalize.js";

const uid = "11111111-2222-3333-4444-555555555555";
const cases = [
  { name: "times", text: "2026-11-18T10:00:00.123456789Z line\n", is: "TIME line\n" },
  { name: "containers", text: `containerd://${"a1".repeat(32)}\n`, is: "containerd://CONTAINER\n" },
  { name: "network namespaces", text: `/run/netns/cni-${uid}\n`, is: "/run/netns/NETNS\n" },
  { name: "names that are drawn", text: "pod node-debugger-node-1-x7k2p\n", is: "pod node-debugger-node-1-NAME\n" },
  { name: "ends of lines of a terminal", text: "a\r\nb\r\n", is: "a\nb\n" },
  {
    name: "what kubectl prints when a container is slow",
    text: "If you don't see a command prompt, try pressing enter.\nhello\n",
    is: "hello\n",
  },
];

describe("what is printed, without what differs from run to run", () => {
  for (const { name, text, is } of cases)
    it(name, () => expect(normalize({ code: 0, stdout: text, stderr: "" })).toBe(`${is}--- exit code 0\n`));

  it("keeps output, errors and the code apart", () =>
    expect(normalize({ code: 7, stdout: "out\n", stderr: "err\n" })).toBe("out\n--- errors\nerr\n--- exit code 7\n"));
});
