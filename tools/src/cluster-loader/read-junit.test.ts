import { describe, expect, it } from "vitest";
import { readJunit } from "./read-junit.js";

const suite = (cases: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="ClusterLoaderV2" tests="0" failures="1" errors="0" time="5">\n${cases}\n</testsuite>`;

describe("junit.xml of clusterloader2", () => {
  const cases = [
    {
      name: "has no failure where all steps passed",
      xml: suite(
        '<testcase name="load overall" classname="ClusterLoaderV2" time="5"></testcase>\n<testcase name="load: [step: 01]" time="1"/>',
      ),
      failures: [],
    },
    {
      name: "names the steps that failed, with their messages",
      xml: suite(
        '<testcase name="load: [step: 01] starting" time="1"/>\n<testcase name="load: [step: 05] gathering" time="2">\n<failure type="Failure">:0&#xA;[too high latency: got &lt;6s&gt;]</failure>\n</testcase>',
      ),
      failures: ["load: [step: 05] gathering: :0\n[too high latency: got <6s>]"],
    },
    { name: "without a test is a failure", xml: suite(""), failures: ["junit.xml has no test"] },
  ];
  for (const { name, xml, failures } of cases) it(name, () => expect(readJunit(xml)).toEqual(failures));
});
