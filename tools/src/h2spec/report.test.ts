import { describe, expect, it } from "vitest";
import { parseReport } from "./report.js";

const report = `<testsuite name="6.7. PING" package="http2/6.7" id="6.7" tests="3" skipped="1" failures="0" errors="1">
    <testcase package="http2/6.7" classname="Sends a PING frame" time="0.0001"></testcase>
    <testcase package="http2/6.7" classname="Sends a &#34;PING&#34; frame with ACK" time="0.0001">
      <error>PING Frame (length:8)
Connection closed</error>
    </testcase>
    <testcase package="http2/6.7" classname="Sends nothing" time="0.0001">
      <skipped></skipped>
    </testcase>
  </testsuite>`;

describe("the report of h2spec", () => {
  it("reports the outcome of each case", () => {
    expect(parseReport(report)).toEqual([
      { name: "http2/6.7: Sends a PING frame", verdict: "passed", message: "" },
      {
        name: 'http2/6.7: Sends a "PING" frame with ACK',
        verdict: "failed",
        message: "PING Frame (length:8)\nConnection closed",
      },
      { name: "http2/6.7: Sends nothing", verdict: "skipped", message: "" },
    ]);
  });
  it("is no report if there is no case in it", () =>
    expect(() => parseReport("<testsuites></testsuites>")).toThrow(/no case/));
});
