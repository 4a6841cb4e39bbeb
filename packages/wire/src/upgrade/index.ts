export { acceptUpgrade, asksForUpgrade, refuseUpgrade } from "./refuse-upgrade.js";
export { requestUpgrade, type Upgraded, type UpgradeOptions, UpgradeRefused } from "./upgrade-request.js";
