import type { SchedulerConfig } from "./scheduler-config.js";

/** Extenders that may fail come last, and resources that extenders alone look after are none of NodeResourcesFit's business. */
export function withExtenders(config: SchedulerConfig): SchedulerConfig {
  const { extenders } = config;
  const ignored = extenders.flatMap(({ managedResources = [] }) =>
    managedResources.filter(({ ignoredByScheduler }) => ignoredByScheduler).map(({ name }) => name),
  );
  return {
    ...config,
    extenders: [...extenders.filter(({ ignorable }) => !ignorable), ...extenders.filter(({ ignorable }) => ignorable)],
    profiles:
      ignored.length === 0
        ? config.profiles
        : config.profiles.map((profile) => {
            const args = profile.pluginConfig.get("NodeResourcesFit");
            if (args === undefined) throw new Error("can't find NodeResourcesFitArgs in plugin config");
            const changed = { ...args, ignoredResources: ignored };
            return { ...profile, pluginConfig: new Map([...profile.pluginConfig, ["NodeResourcesFit", changed]]) };
          }),
  };
}
