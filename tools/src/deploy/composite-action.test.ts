import { describe, expect, it } from "vitest";
import { planAction, readCommandFile } from "./composite-action.js";

const action = (run: string) => ({
  inputs: { nodes: { default: "3" }, args: {} },
  runs: {
    using: "composite",
    steps: [
      {
        name: "Start",
        shell: "bash",
        run,
        "working-directory": "${{ github.action_path }}/..",
        env: { N: "${{ inputs.nodes }}" },
      },
    ],
  },
});
const run = { inputs: {}, actionPath: "/action" };

describe("an action's steps", () => {
  it("have inputs, their defaults and the action's folder", () => {
    const [step] = planAction(action("up ${{ inputs.args }}"), { ...run, inputs: { args: "--in-memory" } });
    expect(step).toEqual({ name: "Start", script: "up --in-memory", folder: "/action/..", env: { N: "3" } });
  });

  const mistakes: [title: string, plan: () => unknown, message: string][] = [
    ["an input that is not declared", () => planAction(action(""), { ...run, inputs: { node: "1" } }), "node"],
    ["an expression that is not known", () => planAction(action("${{ secrets.a }}"), run), "secrets.a"],
  ];
  for (const [title, plan, message] of mistakes) it(`do not have ${title}`, () => expect(plan).toThrow(message));

  it("leave variables for those that follow", () =>
    expect(readCommandFile("KUBECONFIG=/tmp/a=b\nX=\n")).toEqual({ KUBECONFIG: "/tmp/a=b", X: "" }));
});
