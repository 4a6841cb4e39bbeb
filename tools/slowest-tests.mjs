/** A vitest reporter: which ten files took longest, so that somebody notices when the suite grows slow. */
export default class SlowestTests {
  onTestRunEnd(modules) {
    if (modules.length < 20) return; // of a few files everybody sees the times anyway
    const timed = modules.map((module) => ({ name: module.relativeModuleId, ms: module.diagnostic().duration }));
    const slowest = timed.sort((a, b) => b.ms - a.ms).slice(0, 10);
    console.log("\n Slowest files");
    for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${name}`);
  }
}
