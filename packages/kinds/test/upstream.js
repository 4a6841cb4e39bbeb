import { spawnSync } from "node:child_process";
/** Path of the built program; tests that need it are skipped without. */
export const upstreamProgram = process.env["COXSWAIN_KINDS_ANSWERS"];
/** `now`: what a time in an object is counted from; printers have their own clock. */
export function askUpstream(questions, now) {
    const input = questions.map((question) => JSON.stringify({ ...question, now })).join("\n");
    const { stdout, stderr, status, error } = spawnSync(upstreamProgram ?? "", { input, maxBuffer: 1 << 30, encoding: "utf8" });
    if (error)
        throw error;
    if (status !== 0)
        throw new Error(`the program ended with ${status}: ${stderr.slice(-2000)}`);
    return stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
}
//# sourceMappingURL=upstream.js.map