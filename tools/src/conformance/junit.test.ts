import { expect, it } from "vitest";
import { formatJunit } from "./junit.js";

it("writes what CI systems read, whatever a message contains", () => {
  const text = formatJunit("stage", [
    { test: "a", verdict: "passed", seconds: 1.5 },
    { test: 'b "<&>"', verdict: "failed", seconds: 2, message: "\u001b[31m x < y" },
    { test: "c", verdict: "skipped", seconds: 0 },
  ]);
  expect(text.split("\n").slice(1, -1)).toEqual([
    '<testsuite name="stage" tests="3" failures="1" skipped="1" time="3.500">',
    '  <testcase name="a" classname="conformance" time="1.500"/>',
    '  <testcase name="b &quot;&lt;&amp;&gt;&quot;" classname="conformance" time="2.000"><failure>\ufffd[31m x &lt; y</failure></testcase>',
    '  <testcase name="c" classname="conformance" time="0.000"><skipped></skipped></testcase>',
    "</testsuite>",
  ]);
});
